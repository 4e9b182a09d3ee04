/**
 * Ignores the later clicks of a double click if the control under the pointer has become another
 * one, such as Run that became Stop. Returns a function that removes the guard.
 */
export function guardDoubleClicks(): () => void {
  let firstName: string | null = null;
  const onClick = (event: MouseEvent) => {
    const control = event.target instanceof Element ? event.target.closest(CONTROL) : null;
    const name = control === null ? null : getName(control);
    // `detail` counts clicks in one place: 0 for the keyboard, 1 for a first click.
    if (event.detail <= 1) firstName = name;
    else if (control !== null && name !== firstName) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  document.addEventListener('click', onClick, true);
  return () => document.removeEventListener('click', onClick, true);
}

const CONTROL = 'button, a[href], [role="button"], [role="menuitem"], [role="option"]';

function getName(control: Element): string {
  return control.getAttribute('aria-label') ?? control.textContent;
}
