// Hand-written because Base UI has no tree component.
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { VList, type VListHandle } from 'virtua';
import type { JsonValue } from '../../../shared/json.ts';
import { classNames } from '../class-names.ts';
import { ChevronDownIcon, ChevronRightIcon } from '../icons/status.tsx';
import {
  getRowKey,
  type JsonRow,
  listJsonRows,
  type OpenRows,
  openAncestors,
  openRows,
  type RowProblem,
  toggleRow,
} from './json-rows.ts';
import styles from './json-view.module.css';

export interface ShownJson {
  rows: JsonRow[];
  /** The messages of each row with problems, by key. */
  problems: ReadonlyMap<string, string>;
  toggle: (row: JsonRow) => void;
  /** Expands the rows above a row. */
  reveal: (key: string) => void;
  /** Null if nothing is collapsed. */
  expandAll: (() => void) | null;
  /** Null if nothing below the root is expanded. */
  collapseAll: (() => void) | null;
}

const DEFAULT_ROWS = 60;
/** The maximum number of rows that “Expand all” shows. */
const MAX_ROWS = 20_000;

/** Passing a new value resets which rows are expanded; rows with problems are always shown first. */
export function useJsonRows(
  value: JsonValue,
  firstRows = DEFAULT_ROWS,
  found: readonly RowProblem[] = noProblems,
): ShownJson {
  const problems = useMemo(() => {
    const byKey = new Map<string, string>();
    for (const { path, message } of found) {
      const key = getRowKey(value, path);
      const known = byKey.get(key);
      byKey.set(key, known === undefined ? message : `${known} ${message}`);
    }
    return byKey;
  }, [value, found]);
  const initial = useMemo(
    () => openAncestors(openRows(value, firstRows), [...problems.keys()]),
    [value, firstRows, problems],
  );
  const [changed, setChanged] = useState<{ of: JsonValue; open: OpenRows } | null>(null);
  const open = changed !== null && changed.of === value ? changed.open : initial;
  const rows = useMemo(() => listJsonRows(value, open), [value, open]);
  const show = (next: OpenRows) => setChanged({ of: value, open: next });
  const isFolded = ({ isOpen, pieces }: JsonRow) =>
    isOpen === false && pieces.every(({ kind }) => kind !== 'string');
  return {
    rows,
    problems,
    toggle: (row) => show(toggleRow(open, row)),
    reveal: (key) => show(openAncestors(open, [key])),
    expandAll:
      rows.length < MAX_ROWS && rows.some(isFolded) ? () => show(openRows(value, MAX_ROWS)) : null,
    collapseAll: open.size > 1 ? () => show(openRows(value, 0)) : null,
  };
}

const noProblems: readonly RowProblem[] = [];

/** The row to show next; a new object scrolls to it again. */
export interface JsonTarget {
  key: string;
}

interface JsonTreeProps {
  label: string;
  json: ShownJson;
  target?: JsonTarget | null;
  /** Fills the available height instead of growing with the rows up to a limit. */
  fills?: boolean;
}

const TALL = 'min(60vh, 480px)';
const PAGE_ROWS = 10;
/** A tree with more rows scrolls on its own and renders only visible rows. */
const MAX_PLAIN_ROWS = 120;

/** Renders a tree with one Tab stop. Arrow keys move, expand and collapse; `*` expands all. */
export function JsonTree({ label, json, target = null, fills = false }: JsonTreeProps) {
  const { rows, problems } = json;
  const list = useRef<VListHandle>(null);
  const plain = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<string | null>(null);
  const treeId = useId();
  const at = Math.max(
    0,
    rows.findIndex((row) => getId(row) === reached),
  );
  const isVirtual = fills || rows.length > MAX_PLAIN_ROWS;

  function moveTo(index: number, by: 1 | -1, align: 'nearest' | 'center' = 'nearest') {
    let to = Math.max(0, Math.min(index, rows.length - 1));
    while (rows[to]?.part === 'end' && to > 0 && to < rows.length - 1) to += by;
    while (rows[to]?.part === 'end' && to > 0) to -= 1;
    const row = rows[to];
    if (row === undefined) return;
    setReached(getId(row));
    list.current?.scrollToIndex(to, { align });
    plain.current?.children[to]?.scrollIntoView({ block: align });
  }

  const showTarget = useEffectEvent(({ key }: JsonTarget) => {
    moveTo(
      rows.findIndex((row) => row.key === key),
      1,
      'center',
    );
    const tree = document.getElementById(treeId);
    tree?.focus({ preventScroll: true });
    // A list that scrolls on its own may itself be out of view.
    if (isVirtual) tree?.scrollIntoView({ block: 'nearest' });
  });
  useEffect(() => {
    if (target === null) return;
    // A list around the tree must measure the revealed rows before it gets the scroll event.
    const frame = requestAnimationFrame(() => showTarget(target));
    return () => cancelAnimationFrame(frame);
  }, [target]);

  function press(row: JsonRow) {
    if (row.isOpen !== null || row.part === 'more') json.toggle(row);
  }

  function onKeyDown(event: KeyboardEvent) {
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const parent = rows.slice(0, at).findLastIndex(({ depth }) => depth < row.depth);
    const actions: Record<string, () => void> = {
      ArrowDown: () => moveTo(at + 1, 1),
      ArrowUp: () => moveTo(at - 1, -1),
      PageDown: () => moveTo(at + PAGE_ROWS, 1),
      PageUp: () => moveTo(at - PAGE_ROWS, -1),
      Home: () => moveTo(0, 1),
      End: () => moveTo(rows.length - 1, -1),
      ArrowLeft: () => (row.isOpen === true ? json.toggle(row) : moveTo(parent, -1)),
      ArrowRight() {
        if (row.isOpen === false) json.toggle(row);
        else if (row.isOpen === true) moveTo(at + 1, 1);
      },
      Enter: () => press(row),
      ' ': () => press(row),
      '*': () => json.expandAll?.(),
    };
    const act = actions[event.key];
    if (act === undefined) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }

  const tree = {
    id: treeId,
    role: 'tree',
    'aria-label': label,
    'aria-activedescendant': `${treeId}${at}`,
    tabIndex: 0,
    onKeyDown,
  };
  const draw = (row: JsonRow, index: number) => (
    <Row
      key={`${row.key} ${index}`}
      id={`${treeId}${index}`}
      row={row}
      problem={row.part === null ? (problems.get(row.key) ?? null) : null}
      reached={index === at}
      onClick={() => {
        setReached(getId(row));
        // Selecting text must not toggle the row.
        if (document.getSelection()?.isCollapsed !== false) press(row);
      }}
    />
  );
  return isVirtual ? (
    <VList
      {...tree}
      ref={list}
      data={rows}
      bufferSize={600}
      keepMounted={[at]}
      className={classNames(styles.tree, fills && styles.fills)}
      // The list’s own inline height of 100 % would override a class.
      style={fills ? undefined : { height: TALL }}
    >
      {draw}
    </VList>
  ) : (
    <div {...tree} ref={plain} className={styles.tree}>
      {rows.map(draw)}
    </div>
  );
}

function getId({ key, part }: JsonRow): string {
  return part === null ? key : `${key} ${part}`;
}

interface RowProps {
  id: string;
  row: JsonRow;
  problem: string | null;
  reached: boolean;
  onClick: () => void;
}

function Row({ id, row, problem, reached, onClick }: RowProps) {
  const { depth, pieces, isOpen, part } = row;
  const style = { paddingInlineStart: `calc(${depth} * 16px + var(--space-4))` };
  const item = part !== 'end' && {
    id,
    role: 'treeitem',
    'aria-level': depth + 1,
    'aria-selected': reached,
    'aria-expanded': isOpen ?? undefined,
    'data-reached': reached || undefined,
    'data-more': part === 'more' || undefined,
    'data-folds': isOpen !== null || undefined,
    'data-problem': problem !== null || undefined,
    onClick,
  };
  return (
    <div {...item} className={styles.row} style={style}>
      <span className={styles.arrow} aria-hidden="true">
        {isOpen === true && <ChevronDownIcon size={12} />}
        {isOpen === false && <ChevronRightIcon size={12} />}
      </span>
      <code className={styles.text}>
        {pieces.map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a row never reorder
          <span key={index} className={styles[kind]}>
            {text}
          </span>
        ))}
        {problem !== null && <span className={styles.problem}>{problem}</span>}
      </code>
    </div>
  );
}
