import { type Ref, useCallback } from 'react';

const CONTROLS =
  'a[href], button, input, textarea, select, summary, [tabindex], [contenteditable="true"]';

/** Returns a ref; when its element is removed, focus moves to the nearest or fallback control. */
export function useFocusPassing<T extends HTMLElement>(ref?: Ref<T>) {
  return useCallback(
    (control: T) => {
      const detach = attach(ref, control);
      return () => {
        passFocus(control);
        detach();
      };
    },
    [ref],
  );
}

function attach<T>(ref: Ref<T> | undefined, value: T): () => void {
  if (typeof ref !== 'function') {
    if (ref != null) ref.current = value;
    return () => {
      if (ref != null) ref.current = null;
    };
  }
  const detach = ref(value);
  return () => (typeof detach === 'function' ? detach() : void ref(null));
}

/** Moves focus out of an element about to be removed; React detaches refs before removal. */
export function passFocus(element: HTMLElement): void {
  const control = document.activeElement;
  // If focus is in an open menu or popover, use its trigger instead.
  const isIn = element.contains(control) || (element.ariaExpanded === 'true' && isInPopup(control));
  if (!(control instanceof HTMLElement) || !isIn) return;
  // `ownFallback` applies only to the removed element, `focusFallback` also to everything inside.
  // Each lists names, the most preferred first.
  const fallback =
    element.dataset.ownFallback ??
    control.closest<HTMLElement>('[data-focus-fallback]')?.dataset.focusFallback;
  const parents = getParents(element);
  const scope = parents.at(-1);
  const stops = scope === undefined ? [] : findStops(scope);
  const at = stops.indexOf(control);
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return;
    const around = parents.filter((parent) => parent.isConnected);
    const wanted = fallback
      ?.split(' ')
      .flatMap((name) => [...around, document.body].map((parent) => findFallback(parent, name)))
      .find((found) => found);
    const next = wanted ?? around.map((parent) => findNear(parent, stops, at)).find(Boolean);
    (next ?? document.querySelector('main'))?.focus({ preventScroll: true });
  });
}

function isInPopup(element: Element | null): boolean {
  return element !== null && element.closest('[role="menu"], [role="dialog"]') !== null;
}

function findFallback(parent: HTMLElement, name: string): HTMLElement | undefined {
  const found = [...parent.querySelectorAll<HTMLElement>(`[data-${name}-control]`)];
  // The newest Undo button is last.
  return name === 'undo' ? found.findLast(isUsable) : found.find(isUsable);
}

/** Returns the next control, else the previous one, else the parent's first control. */
function findNear(parent: HTMLElement, stops: readonly HTMLElement[], at: number) {
  const remains = (stop: HTMLElement) => parent.contains(stop) && isUsable(stop);
  return (
    stops.slice(at + 1).find(remains) ??
    stops.slice(0, at).findLast(remains) ??
    findFirstStop(parent)
  );
}

/** Returns the ancestors up to the panel or the page region next to it. */
function getParents(element: HTMLElement): HTMLElement[] {
  const parents: HTMLElement[] = [];
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    if (parent.matches('body, #root') || parent.querySelector('main') !== null) break;
    parents.push(parent);
  }
  return parents;
}

function findStops(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (stop) => stop.tabIndex >= 0 && isUsable(stop),
  );
}

/** Returns the first control in the element that Tab can reach. */
export function findFirstStop(element: Element): HTMLElement | undefined {
  return findStops(element)[0];
}

function isUsable(element: HTMLElement): boolean {
  return (
    element.isConnected && !element.matches(':disabled, [inert] *') && element.checkVisibility()
  );
}
