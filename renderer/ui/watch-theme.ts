/** Watches the theme on screen, whether the user or the system chose it. */
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)');

/** Returns an unsubscribe function. */
export function watchTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  const system = systemIsDark();
  system.addEventListener('change', listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', listener);
    observer.disconnect();
  };
}

export function isDarkTheme(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? systemIsDark().matches : theme === 'dark';
}
