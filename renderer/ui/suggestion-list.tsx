// Hand-written like the combobox that it belongs to.
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { classNames } from './class-names.ts';
import { CheckIcon } from './icons/status.tsx';
import list from './list-box.module.css';
import { getSuggestionKey, type Suggestion } from './suggestions.ts';

interface SuggestionListProps<Choice extends Suggestion> {
  /** The list opens below this element, or above it if there is more room. */
  anchor: RefObject<HTMLElement | null>;
  /** Prefix for option IDs (`${id}-0`, `${id}-1`, …), used by `aria-activedescendant`. */
  id: string;
  label: string;
  suggestions: readonly Choice[];
  isChosen: (choice: Choice) => boolean;
  active: number;
  note?: string | undefined;
  footer?: ReactNode;
  isWide: boolean;
  renderRow: ((choice: Choice, isGrouped: boolean) => ReactNode) | undefined;
  onChoose: (choice: Choice) => void;
}

/** A list with more rows renders only those in view, because a gateway may list thousands. */
const MAX_PLAIN_ROWS = 100;
const ROW_HEIGHT = 28;
/** Rendered before the list is measured, so that it never appears empty. */
const FIRST_ROWS = 16;

type Row<Choice> =
  | { kind: 'group'; group: string }
  | { kind: 'option'; choice: Choice; index: number };

/** Renders the list of a combobox. Focus stays in the field, which handles keys. */
export function SuggestionList<Choice extends Suggestion>(props: SuggestionListProps<Choice>) {
  const { anchor, id, label, suggestions, active, note, footer, isWide } = props;
  const popup = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRef<VirtualizerHandle>(null);
  const rows = useMemo(() => toRows(suggestions), [suggestions]);
  const activeRow = rows.findIndex((row) => row.kind === 'option' && row.index === active);
  const isVirtual = rows.length > MAX_PLAIN_ROWS;

  useLayoutEffect(() => {
    if (popup.current === null || anchor.current === null) return;
    popup.current.showPopover();
    placePopup(popup.current, anchor.current.getBoundingClientRect());
  });

  useLayoutEffect(() => {
    if (activeRow < 0) return;
    if (isVirtual) virtual.current?.scrollToIndex(activeRow, { align: 'nearest' });
    else document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active, activeRow, isVirtual]);

  const renderRow = (row: Row<Choice>) =>
    row.kind === 'group' ? (
      <div key={`group ${row.group}`} className={list.group} role="presentation">
        {row.group}
      </div>
    ) : (
      <Option
        key={`option ${getSuggestionKey(row.choice)}`}
        {...props}
        choice={row.choice}
        index={row.index}
      />
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press must not take the field's focus.
    <div
      ref={popup}
      popover="manual"
      className={classNames(list.popup, list.suggestions, isWide && list.wideSuggestions)}
      onMouseDown={(event) => event.preventDefault()}
    >
      {note !== undefined && <p className={`hint ${list.note}`}>{note}</p>}
      <div
        ref={scroller}
        id={id}
        role="listbox"
        tabIndex={-1}
        aria-label={label}
        className={list.scroller}
      >
        {isVirtual ? (
          <Virtualizer
            ref={virtual}
            scrollRef={scroller}
            data={rows}
            itemSize={ROW_HEIGHT}
            ssrCount={FIRST_ROWS}
            keepMounted={activeRow < 0 ? [] : [activeRow]}
          >
            {renderRow}
          </Virtualizer>
        ) : (
          rows.map(renderRow)
        )}
      </div>
      {footer}
    </div>
  );
}

interface OptionProps<Choice extends Suggestion> extends SuggestionListProps<Choice> {
  choice: Choice;
  index: number;
}

function Option<Choice extends Suggestion>(props: OptionProps<Choice>) {
  const { id, suggestions, choice, index, active, isChosen, renderRow, onChoose } = props;
  const chosen = isChosen(choice);
  return (
    <div
      id={`${id}-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-posinset={index + 1}
      aria-setsize={suggestions.length}
      data-active={index === active}
      className={list.option}
      onMouseUp={() => onChoose(choice)}
    >
      {renderRow?.(choice, choice.group !== undefined) ?? (
        <>
          <span className="grow truncate">{choice.label ?? choice.value}</span>
          {choice.detail !== undefined && <span className={list.detail}>{choice.detail}</span>}
        </>
      )}
      {chosen ? <CheckIcon size={12} /> : renderRow && <span className={list.noCheck} />}
    </div>
  );
}

/** Puts a heading above the first suggestion of each group. */
function toRows<Choice extends Suggestion>(suggestions: readonly Choice[]): Row<Choice>[] {
  return suggestions.flatMap((choice, index): Row<Choice>[] => {
    const { group } = choice;
    const option: Row<Choice> = { kind: 'option', choice, index };
    const isFirst = group !== undefined && group !== suggestions[index - 1]?.group;
    return isFirst ? [{ kind: 'group', group }, option] : [option];
  });
}

const GAP = 4;
const EDGE = 8;
const MAX_HEIGHT = 420;

/** Places the list below the anchor, or above if there is more room, and within the window. */
function placePopup(popup: HTMLElement, anchor: DOMRect): void {
  popup.style.minWidth = `${anchor.width}px`;
  popup.style.maxWidth = `${window.innerWidth - 2 * EDGE}px`;
  popup.style.maxHeight = '';
  const { width, height } = popup.getBoundingClientRect();
  const roomBelow = window.innerHeight - anchor.bottom - GAP - EDGE;
  const roomAbove = anchor.top - GAP - EDGE;
  const below = height <= roomBelow || roomBelow >= roomAbove;
  const shownHeight = Math.min(height, MAX_HEIGHT, below ? roomBelow : roomAbove);
  popup.style.maxHeight = `${shownHeight}px`;
  popup.style.top = `${below ? anchor.bottom + GAP : anchor.top - GAP - shownHeight}px`;
  popup.style.left = `${Math.min(Math.max(EDGE, anchor.left), window.innerWidth - width - EDGE)}px`;
}
