/** For canvases: what `color`, `outline-color` and `caret-color` of an element come to by now. */
export interface ThemeColors {
  plain: string;
  strong: string;
  cursor: string;
}

export function themeColors(element: Element): ThemeColors {
  const { color, outlineColor, caretColor } = getComputedStyle(element);
  return { plain: color, strong: outlineColor, cursor: caretColor };
}

/** Calls back when the theme may have changed. Returns the function that ends it. */
export function watchTheme(listener: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(listener);
  query.addEventListener('change', listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    query.removeEventListener('change', listener);
    observer.disconnect();
  };
}
