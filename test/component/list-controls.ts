/** Returns one visible control of each kind by its element, role, popup and place in a list. */
export function listControls(): Map<string, HTMLElement> {
  const stops = document.querySelectorAll<HTMLElement>(
    'button, input, textarea, select, summary, [tabindex="0"], [contenteditable="true"]',
  );
  const kinds = new Map<string, HTMLElement>();
  for (const stop of stops) {
    const { localName, role, tabIndex } = stop;
    // A slider beside a text box takes the focus from the pointer only.
    const takesFocus = tabIndex >= 0 || stop.matches('[type="range"]');
    if (!takesFocus || !stop.checkVisibility() || stop.matches(':disabled, [data-run-control]')) {
      continue;
    }
    const popup = stop.getAttribute('aria-haspopup');
    const isInList = stop.closest('[data-row]') !== null;
    const type = stop.getAttribute('type');
    const kind = [localName, role, type, popup, stop.ariaPressed !== null, isInList && 'row'];
    if (!kinds.has(kind.join())) kinds.set(kind.join(), stop);
  }
  return kinds;
}
