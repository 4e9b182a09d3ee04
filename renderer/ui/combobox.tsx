import { Field as BaseField } from '@base-ui/react/field';
import { type Ref, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import styles from './combobox.module.css';
import fieldStyles from './field.module.css';
import { Field, type FieldProps } from './field.tsx';
import { ChevronDownIcon } from './icons/status.tsx';
import { clearInlineNote, showInlineNote } from './inline-note.ts';
import { filterSuggestions, rankedSuggestions } from './matching-suggestions.ts';
import { type Suggestion, SuggestionList } from './suggestion-list.tsx';

export interface ComboboxHandle {
  /** Focuses the field and opens its list. */
  open: () => void;
}

interface ComboboxProps extends FieldProps {
  ref?: Ref<ComboboxHandle>;
  value: string;
  onValueChange: (value: string) => void;
  suggestions: readonly Suggestion[];
  /**
   * Makes it a picker: Enter takes the first suggestion that matches what is typed. The text itself is
   * the value as soon as it is typed; the last row, with these words, keeps it by Enter too.
   */
  typedLabel?: (text: string) => string;
  /** What is shown at the field of a picker that is left with a text that is not a suggestion. */
  typedNote?: (text: string) => string;
  /** A sentence at the end of the list, such as why there are no suggestions. */
  note?: string | undefined;
  placeholder?: string | undefined;
  monospace?: boolean;
  disabled?: boolean;
  onOpen?: (() => void) | undefined;
}

/** A text with suggestions. The list shows all until the user types, then what matches; Escape undoes. */
export function Combobox({
  ref,
  label,
  hideLabel,
  help,
  error,
  className,
  value,
  onValueChange,
  suggestions,
  typedLabel,
  typedNote,
  note,
  placeholder,
  monospace = false,
  disabled = false,
  onOpen,
}: ComboboxProps) {
  const listId = useId();
  const box = useRef<HTMLSpanElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  /** What was typed since the list was opened; null until then. */
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  /** The arrow keys led to the active row, so that it counts however the field is left. */
  const [isMarked, setMarked] = useState(false);
  const before = useRef(value);
  /** What was last chosen or typed here. */
  const own = useRef(value);

  const isPicker = typedLabel !== undefined;
  const shown = rowsFor(typed);
  /** Whatever the pointer passes over. */
  const exact =
    isPicker && !isMarked ? suggestions.find(({ value: id }) => id === typed?.trim()) : undefined;
  const showing = open && (shown.length > 0 || note !== undefined);

  function rowsFor(text: string | null): readonly Suggestion[] {
    if (text === null || (isPicker && text.trim() === '')) return suggestions;
    if (isPicker) return rankedSuggestions(suggestions, text, typedLabel);
    return filterSuggestions(suggestions, text);
  }

  useLayoutEffect(() => {
    if (own.current === value) return;
    own.current = value;
    if (typed !== null) return;
    // A default that comes late is replaced by what is typed, as the empty field would have been.
    before.current = value;
    if (isPicker && document.activeElement === input.current) input.current?.select();
  }, [value, typed, isPicker]);

  const change = (next: string) => {
    if (next === value) return;
    own.current = next;
    onValueChange(next);
  };
  const show = () => {
    if (open || disabled) return;
    before.current = value;
    setOpen(true);
    setTyped(null);
    setActive(suggestions.findIndex((suggestion) => suggestion.value === value));
    setMarked(false);
    if (isPicker) input.current?.select();
    onOpen?.();
  };
  const close = () => {
    setOpen(false);
    setTyped(null);
    setActive(-1);
    setMarked(false);
  };
  const choose = (suggestion: Suggestion) => {
    change(suggestion.value);
    // That another text was used.
    if (box.current) clearInlineNote(box.current);
    close();
  };
  const type = (text: string) => {
    if (!open) before.current = value;
    setOpen(true);
    setTyped(text);
    setActive(isPicker && text.trim() !== '' ? 0 : -1);
    setMarked(false);
    // Nobody picks nothing.
    change(isPicker ? text.trim() || before.current : text);
  };
  const undo = () => {
    change(before.current);
    close();
  };
  const move = (by: number) => {
    if (!open) return show();
    if (shown.length === 0) return;
    setActive((at) => (Math.max(at, by > 0 ? -1 : 0) + by + shown.length) % shown.length);
    setMarked(true);
  };
  const openFromOutside = () => {
    input.current?.focus();
    show();
  };
  useImperativeHandle(ref, () => ({ open: openFromOutside }));

  return (
    <Field label={label} hideLabel={hideLabel} help={help} error={error} className={className}>
      <span ref={box} className={styles.box}>
        <BaseField.Control
          render={<input type="text" autoComplete="off" spellCheck={false} />}
          ref={(element) => {
            input.current = element instanceof HTMLInputElement ? element : null;
          }}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={showing}
          aria-controls={listId}
          aria-activedescendant={showing && active >= 0 ? `${listId}-${active}` : undefined}
          placeholder={placeholder}
          disabled={disabled}
          title={value}
          className={classNames(
            fieldStyles.control,
            styles.input,
            monospace && fieldStyles.monospace,
          )}
          value={isPicker ? (typed ?? value) : value}
          onValueChange={type}
          onClick={show}
          onBlur={() => {
            // Another window has the focus: typing continues here afterward.
            if (document.activeElement === input.current) return;
            const text = typed?.trim() ?? '';
            const isOwn = text !== '' && !suggestions.some(({ value: id }) => id === text);
            if (isOwn && typedNote && box.current) showInlineNote(box.current, typedNote(text));
            close();
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            const suggestion = showing ? (exact ?? shown[active]) : undefined;
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault();
              move(event.key === 'ArrowDown' ? 1 : -1);
            } else if (event.key === 'Enter') {
              // With Ctrl the panel runs, with what is typed or marked here.
              const isTaken = isChord(event) ? isPicker && isMarked : true;
              if (suggestion !== undefined && isTaken) choose(suggestion);
              else close();
            } else if (event.key === 'Tab' && isPicker && isMarked) {
              if (suggestion !== undefined) choose(suggestion);
            } else if (event.key === 'Escape' && showing) {
              event.preventDefault();
              event.stopPropagation();
              undo();
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
            if (open) close();
            else openFromOutside();
          }}
        >
          <ChevronDownIcon size={12} />
        </button>
        {showing && (
          <SuggestionList
            anchor={box}
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
    </Field>
  );
}

function isChord({ ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }): boolean {
  return ctrlKey || metaKey;
}
