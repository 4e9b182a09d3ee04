const focusable =
  'a[href], button, input, textarea, select, summary, [tabindex]:not([tabindex="-1"]), [contenteditable="true"]';

/** Moves the focus to the next control behind `element`, or else the last before it, in the same part of the page. */
export function focusBeside(element: HTMLElement): void {
  const part = element.closest('dialog, nav, main, [role="dialog"]') ?? document.body;
  const controls = [...part.querySelectorAll<HTMLElement>(focusable)].filter(
    (control) => !element.contains(control) && control.checkVisibility(),
  );
  const behind = controls.find(
    (control) =>
      (element.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );
  (behind ?? controls.at(-1))?.focus();
}
