/**
 * Focus never falls to the page. Where the focused control disappears, or can no longer be used, the
 * focus goes, in this order:
 *
 * 1. from inside `data-focus-fallback="run"`, to what is marked `data-run-control`: the run continues there; from
 *    `data-focus-fallback="undo"` in the same way to the nearest Undo;
 * 2. to the same control rendered again, by its name, also when that comes a little later;
 * 3. from a form, dialog, drawer or menu that closed, to where the user was before;
 * 4. to the nearest neighbor: the next row, else the one before, else whatever encloses them;
 * 5. to the panel.
 *
 * A key that is held meanwhile does nothing there: it was pressed for what is gone.
 */
export function guardFocus(): () => void {
  // Latest first. Some may be gone; where they were is known.
  let visited: Visit[] = [];
  // What the guard chose in place of what was lost, until the user moves on.
  let standIn: { lost: Visit; element: Element } | null = null;
  // Where the key went down that may be held now.
  let pressedOn: EventTarget | null = null;
  // The user has pressed on plain text: what was focused before may go.
  let hasLeft = false;

  const observer = new MutationObserver(onChanges);

  function onChanges(records: readonly MutationRecord[]) {
    for (const visit of visited) noteGap(visit, records);
    if (standIn !== null) tryAgain();
    else catchLoss(records);
  }

  function catchLoss(records: readonly MutationRecord[]) {
    const [lost] = visited;
    if (lost === undefined || !isFocusOnPage()) return;
    if (hasLeft && !isScopeClosed(lost)) return;
    const moved = records.some((record) => hasIn(record.removedNodes, lost.element));
    // Still there and not touched: the user has left it.
    if (isUsable(lost.element) && !moved) return;
    const next = nextFocus(visited);
    if (next === null) return;
    next.focus({ preventScroll: true });
    standIn = document.activeElement === next ? { lost, element: next } : null;
  }

  function tryAgain() {
    if (standIn === null) return;
    const { lost, element } = standIn;
    const isPassed = document.activeElement !== element && !isFocusOnPage();
    if (isPassed) {
      standIn = null;
      return;
    }
    if (isFocusOnPage()) {
      standIn = null;
      catchLoss([]);
      return;
    }
    const again = lost.fallback === null ? sameControl(lost) : getFallback(lost);
    if (again === null || again === element) return;
    standIn = null;
    again.focus({ preventScroll: true });
  }

  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    hasLeft = false;
    if (standIn !== null && standIn.element !== target) standIn = null;
    visited = [getVisit(target), ...visited.filter(({ element }) => element !== target)].slice(
      0,
      12,
    );
  };
  // Hidden or disabled: the browser lets go of it when it next draws.
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget === null) queueMicrotask(() => onChanges(observer.takeRecords()));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.repeat && event.target !== pressedOn && isActing(event.key)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (!event.repeat) pressedOn = event.target;
    standIn = null;
  };
  const onPress = ({ target }: PointerEvent) => {
    standIn = null;
    hasLeft = target instanceof Element && target.closest(`${controls}, label`) === null;
  };

  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  document.addEventListener('keydown', onKeyDown, true);
  document.addEventListener('pointerdown', onPress, true);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden', 'inert', 'open'],
  });
  if (document.activeElement instanceof HTMLElement && !isFocusOnPage()) {
    visited = [getVisit(document.activeElement)];
  } else if (navigator.userActivation.hasBeenActive) {
    // It is loaded after the page: what the user pressed until then may be gone.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('focusout', onFocusOut);
    document.removeEventListener('keydown', onKeyDown, true);
    document.removeEventListener('pointerdown', onPress, true);
  };
}

/** Of a key that does something where it is pressed, other than to move. */
function isActing(key: string): boolean {
  return key === 'Enter' || key === ' ' || key === 'Delete' || key === 'Backspace';
}

interface Visit {
  element: HTMLElement;
  /** The same, or what has the focus in its shadow tree. */
  inner: HTMLElement;
  name: string;
  /** The form, dialog, drawer or menu it is in. */
  scope: Element | null;
  /** What it is given to before all else. */
  fallback: Fallback | null;
  /** Where it was, once it is gone. */
  gap: Gap | null;
}

type Fallback = 'run' | 'undo';

interface Gap {
  parent: Element;
  before: Element | null;
}

const scopes =
  'form, aside, [popover], [role="menu"], [role="listbox"], [role="dialog"], [data-focus-scope]';
const controls =
  'a[href], button, input, textarea, select, summary, [tabindex], [contenteditable="true"]';

function getVisit(element: HTMLElement): Visit {
  const inner = element.shadowRoot?.activeElement;
  return {
    element,
    inner: inner instanceof HTMLElement ? inner : element,
    name: getName(element),
    scope: element.closest(scopes),
    fallback: fallbackName(element),
    gap: null,
  };
}

function fallbackName(element: Element): Fallback | null {
  const name = element.closest<HTMLElement>('[data-focus-fallback]')?.dataset.focusFallback;
  return name === 'run' || name === 'undo' ? name : null;
}

function getName(element: Element): string {
  const words = element.getAttribute('aria-label') ?? element.textContent ?? '';
  return `${element.tagName} ${words.trim().slice(0, 120)}`;
}

function isFocusOnPage(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function isUsable(element: Element): boolean {
  return (
    element.isConnected &&
    !element.matches(':disabled') &&
    element.closest('[inert]') === null &&
    element.checkVisibility({ visibilityProperty: true })
  );
}

/** The removals say what was beside it; a parent that went as well leaves its own gap. */
function noteGap(visit: Visit, records: readonly MutationRecord[]) {
  if (visit.element.isConnected) return;
  let lost: Element = visit.gap?.parent ?? visit.element;
  if (lost.isConnected) return;
  for (const { target, removedNodes, previousSibling } of records) {
    if (!(target instanceof Element) || !hasIn(removedNodes, lost)) continue;
    visit.gap = { parent: target, before: elementBefore(previousSibling) };
    lost = target;
  }
}

function hasIn(nodes: NodeList, element: Element): boolean {
  return [...nodes].some((node) => node.contains(element));
}

function elementBefore(node: Node | null): Element | null {
  let sibling = node;
  while (sibling !== null && !(sibling instanceof Element && sibling.isConnected)) {
    sibling = sibling.previousSibling;
  }
  return sibling;
}

function nextFocus(visited: readonly Visit[]): HTMLElement | null {
  const [lost, ...earlier] = visited;
  if (lost === undefined) return null;
  const modal = [...document.querySelectorAll('[data-modal]')].at(-1) ?? null;
  const isIn = (element: HTMLElement | null) =>
    element !== null && (modal?.contains(element) ?? true) ? element : null;

  const fallback = isIn(getFallback(lost));
  if (fallback !== null) return fallback;
  const hasClosed = isScopeClosed(lost);
  const again = isIn(sameControl(lost));
  if (again !== null) return again;
  const places = [...(hasClosed ? [] : [isIn(getNeighbor(lost))])];
  for (const visit of earlier) {
    if (hasClosed && visit.scope === lost.scope) continue;
    const place = isUsable(visit.element)
      ? visit.inner
      : (sameControl(visit) ?? getNeighbor(visit));
    places.push(isIn(place));
  }
  const main = document.querySelector<HTMLElement>('main');
  return (
    places.find((place) => place !== null) ??
    isIn(getNeighbor(lost)) ??
    isIn(main) ??
    firstStopIn(modal)
  );
}

/** What its fallback names, in the smallest part of the page around it that has one. */
function getFallback({ element, gap, fallback }: Visit): HTMLElement | null {
  if (fallback === null) return null;
  let around = gap?.parent ?? element.parentElement;
  if (around === null || !around.isConnected) around = document.body;
  for (; around !== null; around = around.parentElement) {
    const found = [...around.querySelectorAll<HTMLElement>(`[data-${fallback}-control]`)];
    // The newest of what can be undone comes last.
    const usable = fallback === 'undo' ? found.findLast(isUsable) : found.find(isUsable);
    if (usable !== undefined) return usable;
  }
  return null;
}

function isScopeClosed({ scope }: Visit): boolean {
  return scope !== null && !isUsable(scope);
}

/** The same control at the same place, by its name. */
function sameControl(visit: Visit): HTMLElement | null {
  const { element, inner, name, gap } = visit;
  if (isUsable(element)) return inner;
  const parent = gap?.parent ?? element.parentElement;
  if (parent === null || !parent.isConnected || isAbovePanel(parent)) return null;
  // What has its name outside is another control.
  if (isScopeClosed(visit)) return null;
  // Another panel has its own.
  if (parent.matches('main')) return null;
  const alike = [...parent.querySelectorAll(element.tagName)].filter(
    (other) => isUsable(other) && getName(other) === name,
  );
  const [only] = alike;
  return alike.length === 1 && only instanceof HTMLElement ? only : null;
}

/** What follows it, else what precedes it, further and further out; never beyond its panel or dialog. */
function getNeighbor({ element, gap }: Visit): HTMLElement | null {
  let parent = gap?.parent ?? element.parentElement;
  let before = gap === null ? element.previousElementSibling : gap.before;
  if (parent === null || !parent.isConnected) return null;
  while (parent !== null && !isAbovePanel(parent)) {
    // Its whole panel has gone: the next one is entered at its beginning.
    if (gap !== null && parent.matches('main')) return null;
    const children: Element[] = [...parent.children];
    const at: number = before === null ? 0 : children.indexOf(before) + 1;
    const after = children
      .slice(at)
      .map(firstStopIn)
      .find((found) => found !== null);
    const preceding = children
      .slice(0, at)
      .map(lastIn)
      .findLast((found) => found !== null);
    const found = after ?? preceding;
    if (found != null) return found;
    if (parent instanceof HTMLElement && parent.hasAttribute('tabindex') && isUsable(parent)) {
      return parent;
    }
    before = parent.previousElementSibling;
    parent = parent.matches('[data-modal]') ? null : parent.parentElement;
  }
  return null;
}

/** The rail, the banners and what opens over all are not neighbors of a panel's controls. */
function isAbovePanel(element: Element): boolean {
  return element === document.body || element.querySelector('main') !== null;
}

function stopsIn(element: Element): HTMLElement[] {
  const own = element instanceof HTMLElement && element.matches(controls) ? [element] : [];
  return [...own, ...element.querySelectorAll<HTMLElement>(controls)].filter(
    (stop) => stop.tabIndex >= 0 && isUsable(stop),
  );
}

/** The first control that Tab would reach in it. */
export function firstStopIn(element: Element | null): HTMLElement | null {
  return element === null ? null : (stopsIn(element)[0] ?? null);
}

function lastIn(element: Element): HTMLElement | null {
  return stopsIn(element).at(-1) ?? null;
}
