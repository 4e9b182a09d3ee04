// Before the first paint, so that the chosen theme does not flash in: what app/appearance.ts kept.
try {
  const kept = JSON.parse(localStorage.getItem('gatehouse:appearance') ?? '{}');
  if (kept.theme === 'light' || kept.theme === 'dark') {
    document.documentElement.dataset.theme = kept.theme;
  }
  if (kept.density === 'comfortable') document.documentElement.dataset.density = kept.density;
} catch {
  // No storage: the system's theme it is, until main has answered.
}
