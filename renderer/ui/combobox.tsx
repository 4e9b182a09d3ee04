import { useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import styles from './combobox.module.css';
import fieldStyles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';
import { ChevronDownIcon } from './icons/status.tsx';
import { type Suggestion, SuggestionList } from './suggestion-list.tsx';

interface ComboboxProps extends FieldProps {
  value: string;
  onValueChange: (value: string) => void;
  suggestions: readonly Suggestion[];
  /** A sentence at the end of the list, such as why there are no suggestions. */
  note?: string | undefined;
  placeholder?: string | undefined;
  monospace?: boolean;
  disabled?: boolean;
  onOpen?: (() => void) | undefined;
}

/** Free text with suggestions. The list shows all until the user types, then what contains the text. */
export function Combobox({
  label,
  hideLabel,
  help,
  error,
  className,
  value,
  onValueChange,
  suggestions,
  note,
  placeholder,
  monospace = false,
  disabled = false,
  onOpen,
}: ComboboxProps) {
  const listId = useId();
  const box = useRef<HTMLSpanElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState(false);
  const [active, setActive] = useState(-1);

  const shown = typed ? matching(suggestions, value) : suggestions;
  const showing = open && (shown.length > 0 || note !== undefined);

  useLayoutEffect(() => {
    if (!showing || popup.current === null || box.current === null) return;
    popup.current.showPopover();
    placePopup(popup.current, box.current.getBoundingClientRect(), {
      align: 'start',
      matchWidth: true,
    });
  });

  useLayoutEffect(() => {
    if (showing && active >= 0) {
      popup.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
    }
  }, [showing, active]);

  const show = () => {
    if (open || disabled) return;
    setOpen(true);
    setTyped(false);
    setActive(suggestions.findIndex((suggestion) => suggestion.value === value));
    onOpen?.();
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (suggestion: Suggestion) => {
    onValueChange(suggestion.value);
    close();
  };
  const move = (by: number) => {
    if (!open) return show();
    if (shown.length > 0)
      setActive((at) => (Math.max(at, by > 0 ? -1 : 0) + by + shown.length) % shown.length);
  };

  return (
    <Field label={label} hideLabel={hideLabel} help={help} error={error} className={className}>
      {(ids) => (
        <span ref={box} className={styles.box}>
          <input
            {...ids}
            ref={input}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={showing}
            aria-controls={listId}
            aria-activedescendant={showing && active >= 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            disabled={disabled}
            title={value}
            className={classNames(
              fieldStyles.control,
              styles.input,
              monospace && fieldStyles.monospace,
            )}
            value={value}
            onChange={(event) => {
              onValueChange(event.target.value);
              setOpen(true);
              setTyped(true);
              setActive(-1);
            }}
            onClick={show}
            onBlur={close}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
                event.preventDefault();
                move(event.key === 'ArrowDown' ? 1 : -1);
              } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
                const suggestion = showing ? shown[active] : undefined;
                if (suggestion !== undefined) choose(suggestion);
                else close();
              } else if (event.key === 'Escape' && showing) {
                event.preventDefault();
                event.stopPropagation();
                close();
              }
            }}
          />
          <button
            type="button"
            tabIndex={-1}
            aria-hidden="true"
            className={styles.open}
            disabled={disabled}
            onMouseDown={(event) => {
              event.preventDefault();
              input.current?.focus();
              if (open) close();
              else show();
            }}
          >
            <ChevronDownIcon size={12} />
          </button>
          {showing && (
            <SuggestionList
              ref={popup}
              id={listId}
              label={label}
              suggestions={shown}
              chosen={value}
              active={active}
              note={note}
              onActivate={setActive}
              onChoose={choose}
            />
          )}
        </span>
      )}
    </Field>
  );
}

function matching(suggestions: readonly Suggestion[], text: string): Suggestion[] {
  const query = text.trim().toLowerCase();
  return suggestions.filter(
    ({ value, detail }) =>
      value.toLowerCase().includes(query) || detail?.toLowerCase().includes(query),
  );
}

interface Placement {
  align: 'start' | 'end';
  /** At least as wide as the anchor. */
  matchWidth: boolean;
}

const gap = 4;
const edge = 8;

/** Below the anchor, above it where there is more room, always inside the window. */
function placePopup(popup: HTMLElement, anchor: DOMRect, placement: Placement): void {
  popup.style.minWidth = placement.matchWidth ? `${anchor.width}px` : '';
  popup.style.maxWidth = `${window.innerWidth - 2 * edge}px`;
  popup.style.maxHeight = '';
  const { width, height } = popup.getBoundingClientRect();
  const roomBelow = window.innerHeight - anchor.bottom - gap - edge;
  const roomAbove = anchor.top - gap - edge;
  const below = height <= roomBelow || roomBelow >= roomAbove;
  const shownHeight = Math.min(height, 360, below ? roomBelow : roomAbove);
  popup.style.maxHeight = `${shownHeight}px`;
  popup.style.top = `${below ? anchor.bottom + gap : anchor.top - gap - shownHeight}px`;
  const left = placement.align === 'start' ? anchor.left : anchor.right - width;
  popup.style.left = `${Math.min(Math.max(edge, left), window.innerWidth - width - edge)}px`;
}
