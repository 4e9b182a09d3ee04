/** Returns one visible control of each kind by its element, role and popup. */
export function listControls(): Map<string, HTMLElement> {
  const stops = document.querySelectorAll<HTMLElement>(
    'button, input, textarea, select, summary, [tabindex="0"], [contenteditable="true"]',
  );
  const kinds = new Map<string, HTMLElement>();
  for (const stop of stops) {
    const { localName, role, tabIndex } = stop;
    if (tabIndex < 0 || !stop.checkVisibility() || stop.matches(':disabled, [data-run-control]')) {
      continue;
    }
    const popup = stop.getAttribute('aria-haspopup');
    const kind = [localName, role, stop.getAttribute('type'), popup, stop.ariaPressed !== null];
    if (!kinds.has(kind.join())) kinds.set(kind.join(), stop);
  }
  return kinds;
}
