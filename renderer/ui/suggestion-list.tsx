import { Fragment, type RefObject, useLayoutEffect, useRef } from 'react';
import { CheckIcon } from './icons/status.tsx';
import list from './list-box.module.css';
import type { Suggestion } from './suggestions.ts';

interface SuggestionListProps {
  /** The list opens below this element, or above it if there is more room. */
  anchor: RefObject<HTMLElement | null>;
  /** Prefix for option IDs (`${id}-0`, `${id}-1`, …), used by `aria-activedescendant`. */
  id: string;
  label: string;
  suggestions: readonly Suggestion[];
  chosen: string;
  active: number;
  note?: string | undefined;
  onChoose: (suggestion: Suggestion) => void;
}

/** Limits the rows, because a gateway may list thousands of models, which are slow to render. */
const MAX_SHOWN = 200;

/** The list of a combobox. Focus stays in the field, which handles keys. */
export function SuggestionList(props: SuggestionListProps) {
  const { anchor, id, label, suggestions, chosen, active, note, onChoose } = props;
  const popup = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (popup.current === null || anchor.current === null) return;
    popup.current.showPopover();
    placePopup(popup.current, anchor.current.getBoundingClientRect());
  });

  useLayoutEffect(() => {
    if (active >= 0)
      document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  // Always render the active row, even if it's past the limit.
  const shown = suggestions.slice(0, Math.max(MAX_SHOWN, active + 1));
  const hiddenCount = suggestions.length - shown.length;
  return (
    <div
      ref={popup}
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      popover="manual"
      className={list.popup}
      onMouseDown={(event) => event.preventDefault()}
    >
      {shown.map((suggestion, index) => (
        <Fragment key={suggestion.value}>
          {suggestion.group !== undefined && suggestion.group !== shown[index - 1]?.group && (
            <div className={list.group} role="presentation">
              {suggestion.group}
            </div>
          )}
          <div
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={suggestion.value === chosen}
            data-active={index === active}
            className={list.option}
            onMouseUp={() => onChoose(suggestion)}
          >
            <span className="grow truncate">{suggestion.label ?? suggestion.value}</span>
            {suggestion.detail !== undefined && (
              <span className={list.detail}>{suggestion.detail}</span>
            )}
            {suggestion.value === chosen && <CheckIcon size={12} />}
          </div>
        </Fragment>
      ))}
      {hiddenCount > 0 && (
        <p className={`hint ${list.note}`}>
          {hiddenCount.toLocaleString('en-US')} more. Type to filter.
        </p>
      )}
      {note !== undefined && <p className={`hint ${list.note}`}>{note}</p>}
    </div>
  );
}

const GAP = 4;
const EDGE = 8;
const MAX_HEIGHT = 360;

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
