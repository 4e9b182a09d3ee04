/** Returns true if the input event is of text that was pasted or dropped, rather than typed. */
export function isPaste(event: Event): boolean {
  const type = event instanceof InputEvent ? event.inputType : '';
  return type === 'insertFromPaste' || type === 'insertFromDrop';
}
