/** Declares images that the build inlines as data URLs. */
declare module '*.png?inline' {
  const dataUrl: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports inlined files as the default.
  export default dataUrl;
}
