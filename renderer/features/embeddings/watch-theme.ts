/** Calls `draw` when the theme changes, for canvases; returns a function that ends it. */
export function watchTheme(draw: () => void): () => void {
  const observer = new MutationObserver(draw);
  observer.observe(document.documentElement, { attributes: true });
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', draw);
  return () => {
    observer.disconnect();
    scheme.removeEventListener('change', draw);
  };
}
