/** An image that the build puts into the program as a data URL. */
declare module '*.png?inline' {
  const dataUrl: string;
  // biome-ignore lint/style/noDefaultExport: so Vite has it.
  export default dataUrl;
}
