// Hand-written because Base UI has no list with one Tab stop, controls in rows and virtual rows.
import {
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { create } from 'zustand';
import { passFocus } from './pass-focus.ts';

interface RovingListOptions {
  /** The list's name, used by `focusRow`. */
  name?: string | undefined;
  keys: readonly string[];
  /** The selected row, which Tab reaches first; null means the first row. */
  currentKey: string | null;
  /** Returns the text that type-ahead matches. */
  getItemText: (index: number) => string;
  /** Scrolls a virtual row into view. The list must keep `stop` mounted. */
  scrollTo?: ((index: number) => void) | undefined;
  /** Returns a grid's column count; the Left and Right keys then move between columns. */
  columns?: () => number;
  /** Set this if the selection follows focus. */
  onMove?: (index: number, event: KeyboardEvent) => void;
}

interface RovingList {
  /** The only row that Tab can reach. */
  stop: number;
  /** Spread these props on an element around the rows. */
  listProps: {
    'data-list': string | undefined;
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: (event: FocusEvent<HTMLElement>) => void;
    onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
  /** Returns the `tabIndex` for a row's main control. Set the row's key as `data-row`. */
  getTabIndex: (index: number) => 0 | -1;
  /** Focuses a row as an arrow key would. Call it only in response to an event in the list. */
  moveTo: (index: number) => void;
}

const useWantedRow = create<{ row: { list: string; key: string } | null }>(() => ({ row: null }));

/** Focuses a restored row once it renders, unless the user moves focus first. */
export function focusRow(list: string, key: string): void {
  const row = { list, key };
  useWantedRow.setState({ row });
  const forget = () => {
    if (useWantedRow.getState().row === row) useWantedRow.setState({ row: null });
  };
  document.addEventListener('keydown', forget, { capture: true, once: true });
  document.addEventListener('pointerdown', forget, { capture: true, once: true });
}

const pageRows = 10;
const typingPauseMs = 700;

/**
 * Adds roving focus, type-ahead and context menu keys. Removing a row moves focus to the next one.
 */
export function useRovingList(options: RovingListOptions): RovingList {
  const { name, keys, currentKey, getItemText, scrollTo, columns, onMove } = options;
  const root = useRef<HTMLElement>(null);
  const typed = useRef({ text: '', at: 0 });
  // The last focused row, until focus moves elsewhere or the selection changes.
  const [reached, setReached] = useState<Reached | null>(null);
  const [moves, setMoves] = useState(0);
  const stop = getStop(keys, currentKey, reached);
  const stopKey = keys[stop] ?? null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a move changes focus, not a new list
  useEffect(() => {
    if (moves === 0 || stopKey === null) return undefined;
    // The list may have been empty and remounted, and the ref is unset until focus enters the list.
    const list = root.current?.isConnected === true ? root.current : getList(name);
    return focusWhenDrawn(() => getControls(getRow(list, stopKey))[0]);
  }, [moves]);

  const wanted = useWantedRow(({ row }) => (row?.list === name ? (row?.key ?? null) : null));
  const wantedIndex = wanted === null ? -1 : keys.indexOf(wanted);
  const moveToWanted = useEffectEvent(() => {
    useWantedRow.setState({ row: null });
    moveTo(wantedIndex);
  });
  useEffect(() => {
    if (wantedIndex !== -1) moveToWanted();
  }, [wantedIndex]);

  const isRowGone = reached !== null && !keys.includes(reached.key);
  const moveToNeighbor = useEffectEvent(() => {
    if (document.activeElement === document.body) moveTo(stop);
  });
  useEffect(() => {
    if (isRowGone) moveToNeighbor();
  }, [isRowGone]);
  useLayoutEffect(
    () => () => {
      if (root.current !== null) passFocus(root.current);
    },
    [],
  );

  function moveTo(index: number, event?: KeyboardEvent) {
    const at = Math.max(0, Math.min(index, keys.length - 1));
    const key = keys[at];
    if (key === undefined) return;
    setReached({ key, index: at, currentKey, hasFocus: true });
    setMoves((count) => count + 1);
    if (event !== undefined) onMove?.(at, event);
    scrollTo?.(at);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const target = getTarget(event.key, stop, keys.length, columns?.() ?? null);
    if (target !== null && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      typed.current.text = '';
      moveTo(target, event);
      return;
    }
    const row = stopKey === null ? null : getRow(root.current, stopKey);
    if (row !== null && pressInRow(event, row)) return event.preventDefault();
    const text = getTypedText(event, typed.current);
    if (text === null) return;
    typed.current = { text, at: event.timeStamp };
    const found = findByText(keys.length, stop, text, getItemText);
    event.preventDefault();
    if (found !== null) moveTo(found, event);
  }

  return {
    stop,
    listProps: {
      'data-list': name,
      onKeyDown,
      onFocus: ({ target, currentTarget }) => {
        root.current = currentTarget;
        const key = target.closest<HTMLElement>('[data-row]')?.dataset.row;
        if (key !== undefined && (key !== reached?.key || !reached.hasFocus)) {
          setReached({ key, index: keys.indexOf(key), currentKey, hasFocus: true });
        }
      },
      onBlur: ({ relatedTarget, currentTarget }) => {
        // The row was removed or the window lost focus, so keep the list's place, as when a menu
        // opens.
        if (relatedTarget !== null && currentTarget.contains(relatedTarget)) return;
        const isElsewhere =
          relatedTarget?.closest('[role="menu"], [role="dialog"], [role="alertdialog"]') === null;
        setReached((last) => (isElsewhere || last === null ? null : { ...last, hasFocus: false }));
      },
    },
    getTabIndex: (index) => (index === stop ? 0 : -1),
    moveTo,
  };
}

interface Reached {
  key: string;
  index: number;
  /** The row that was selected when this row received focus. */
  currentKey: string | null;
  /** While a row has focus, arrow keys start from it even if the selection changes. */
  hasFocus: boolean;
}

function getStop(
  keys: readonly string[],
  currentKey: string | null,
  reached: Reached | null,
): number {
  const isChosenSince = currentKey !== null && reached?.currentKey !== currentKey;
  if (reached !== null) {
    const index = keys.indexOf(reached.key);
    if (reached.hasFocus && index >= 0) return index;
    if (!isChosenSince || !keys.includes(currentKey)) {
      return index >= 0 ? index : Math.max(0, Math.min(reached.index, keys.length - 1));
    }
  }
  return currentKey === null ? 0 : Math.max(0, keys.indexOf(currentKey));
}

/** `columns` is null for a list. */
function getTarget(
  key: string,
  from: number,
  count: number,
  columns: number | null,
): number | null {
  const line = columns ?? 1;
  const targets: Record<string, number> = {
    ...(columns !== null && { ArrowRight: from + 1, ArrowLeft: from - 1 }),
    ArrowDown: columns === null || from + line < count ? from + line : from,
    ArrowUp: columns === null || from >= line ? from - line : from,
    PageDown: from + pageRows,
    PageUp: from - pageRows,
    Home: 0,
    End: count - 1,
  };
  return targets[key] ?? null;
}

/** Moves between a row's controls or opens its menu; returns true if it handled the key. */
function pressInRow(event: KeyboardEvent, row: HTMLElement): boolean {
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    const menu = row.querySelector<HTMLElement>('[aria-haspopup="menu"]');
    menu?.focus();
    menu?.click();
    return menu !== null;
  }
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return false;
  const controls = getControls(row);
  const at = controls.findIndex((control) => control.contains(document.activeElement));
  const next = controls[at + by];
  next?.focus();
  return next !== undefined;
}

function getRow(root: HTMLElement | null, key: string): HTMLElement | null {
  return root?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null;
}

function getList(name: string | undefined): HTMLElement | null {
  return name === undefined
    ? null
    : document.querySelector<HTMLElement>(`[data-list="${CSS.escape(name)}"]`);
}

/** A closing menu or dialog may move the focus once more in these frames. */
const CONTESTED_FRAMES = 10;
/** A busy machine may render the row late. */
const MAX_FRAMES = 600;

/**
 * Waits until a virtual list has measured the row, because a hidden row can't take focus. Gives up
 * once something else has the focus.
 */
function focusWhenDrawn(getControl: () => HTMLElement | undefined): () => void {
  let frame = 0;
  let count = 0;
  function focus() {
    if (count >= CONTESTED_FRAMES && document.activeElement !== document.body) return;
    const control = getControl();
    control?.focus();
    count += 1;
    if (count < MAX_FRAMES && document.activeElement !== control) {
      frame = requestAnimationFrame(focus);
    }
  }
  focus();
  return () => cancelAnimationFrame(frame);
}

/** Returns the row, if focusable, followed by the focusable controls inside it. */
function getControls(row: HTMLElement | null): HTMLElement[] {
  if (row === null) return [];
  // A video thumbnail is focusable, but it isn't a control.
  const inside = [...row.querySelectorAll<HTMLElement>('button, a[href], [tabindex]')].filter(
    (control) => control.closest('[aria-hidden="true"]') === null,
  );
  return row.tabIndex >= 0 || row.hasAttribute('tabindex') ? [row, ...inside] : inside;
}

function isTyping(target: EventTarget): boolean {
  return target instanceof Element && target.matches('input, textarea, [contenteditable="true"]');
}

/** Returns null for shortcuts, and for a space or symbol that doesn't continue a word. */
function getTypedText(event: KeyboardEvent, last: { text: string; at: number }): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return null;
  const before = event.timeStamp - last.at < typingPauseMs ? last.text : '';
  if (before === '' && !/[\p{L}\p{N}]/u.test(event.key)) return null;
  const key = event.key.toLowerCase();
  // Repeating a letter moves to the next row that starts with it.
  return before === key ? before : before + key;
}

/**
 * Finds the next row that starts with the text, or else contains a word that does; wraps around.
 */
function findByText(
  count: number,
  from: number,
  text: string,
  getItemText: (index: number) => string,
): number | null {
  const first = text.length === 1 ? from + 1 : from;
  const order = Array.from({ length: count }, (_, step) => (first + step) % count);
  const begins = (index: number) => getItemText(index).trimStart().toLowerCase().startsWith(text);
  const has = (index: number) => ` ${getItemText(index).toLowerCase()}`.includes(` ${text}`);
  return order.find(begins) ?? order.find(has) ?? null;
}
