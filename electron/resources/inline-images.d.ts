/** Declares images that the build inlines as data URLs. */
declare module '*.png?inline' {
  const dataUrl: string;
  // biome-ignore lint/style/noDefaultExport: so Vite has it.
  export default dataUrl;
}
