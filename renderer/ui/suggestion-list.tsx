import { Fragment, type RefObject, useLayoutEffect, useRef } from 'react';
import { CheckIcon } from './icons/status.tsx';
import list from './list-box.module.css';

export interface Suggestion {
  value: string;
  /** Shown in place of the value. */
  label?: string | undefined;
  detail?: string | undefined;
  /** Heading above the first suggestion of the group. */
  group?: string | undefined;
}

interface SuggestionListProps {
  /** The list opens below it, or above where there is more room. */
  anchor: RefObject<HTMLElement | null>;
  /** Options are `${id}-0`, `${id}-1` … for `aria-activedescendant`. */
  id: string;
  label: string;
  suggestions: readonly Suggestion[];
  chosen: string;
  active: number;
  note?: string | undefined;
  onActivate: (index: number) => void;
  onChoose: (suggestion: Suggestion) => void;
}

/** A gateway may list thousands: too many to read, and slow to draw. */
const maxShown = 200;

/** The list under a combobox. The focus stays in the field, which also has the keyboard. */
export function SuggestionList(props: SuggestionListProps) {
  const { anchor, id, label, suggestions, chosen, active, note, onActivate, onChoose } = props;
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

  // What the keyboard has reached is drawn, however far down.
  const shown = suggestions.slice(0, Math.max(maxShown, active + 1));
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
            onMouseMove={({ movementX, movementY }) => {
              // Rows that come under a pointer at rest are not pointed at.
              if (movementX !== 0 || movementY !== 0) onActivate(index);
            }}
            onMouseUp={() => onChoose(suggestion)}
          >
            <span className={list.optionText}>{suggestion.label ?? suggestion.value}</span>
            {suggestion.detail !== undefined && (
              <span className={list.detail}>{suggestion.detail}</span>
            )}
            {suggestion.value === chosen && <CheckIcon size={12} />}
          </div>
        </Fragment>
      ))}
      {hiddenCount > 0 && (
        <p className={list.note}>{hiddenCount.toLocaleString('en-US')} more. Type to filter.</p>
      )}
      {note !== undefined && <p className={list.note}>{note}</p>}
    </div>
  );
}

const gap = 4;
const edge = 8;
const highest = 360;

/** Below the anchor and at least as wide, above it where there is more room, always inside the window. */
function placePopup(popup: HTMLElement, anchor: DOMRect): void {
  popup.style.minWidth = `${anchor.width}px`;
  popup.style.maxWidth = `${window.innerWidth - 2 * edge}px`;
  popup.style.maxHeight = '';
  const { width, height } = popup.getBoundingClientRect();
  const roomBelow = window.innerHeight - anchor.bottom - gap - edge;
  const roomAbove = anchor.top - gap - edge;
  const below = height <= roomBelow || roomBelow >= roomAbove;
  const shownHeight = Math.min(height, highest, below ? roomBelow : roomAbove);
  popup.style.maxHeight = `${shownHeight}px`;
  popup.style.top = `${below ? anchor.bottom + gap : anchor.top - gap - shownHeight}px`;
  popup.style.left = `${Math.min(Math.max(edge, anchor.left), window.innerWidth - width - edge)}px`;
}
