// Applies the saved theme before the first paint, so that the page doesn't flash. app/appearance.ts
// saves it.
try {
  const kept = JSON.parse(localStorage.getItem('gatehouse:appearance') ?? '{}');
  if (kept.theme === 'light' || kept.theme === 'dark') {
    document.documentElement.dataset.theme = kept.theme;
  }
  if (kept.density === 'comfortable') document.documentElement.dataset.density = kept.density;
} catch {
  // Storage is blocked, so the system's theme applies until the settings arrive.
}
