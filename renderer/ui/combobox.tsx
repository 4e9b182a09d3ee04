/**
 * Hand-written because Base UI's Combobox hides the rest of the page from screen readers while
 * open.
 */
import { Field as BaseField } from '@base-ui/react/field';
import {
  type KeyboardEvent,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from './class-names.ts';
import styles from './combobox.module.css';
import fieldStyles from './field.module.css';
import { Field, type FieldProps, splitProps } from './field.tsx';
import { ChevronDownIcon } from './icons/status.tsx';
import { clearInlineNote, showInlineNote } from './inline-note.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { filterSuggestions, rankSuggestions, type Suggestion } from './suggestions.ts';

export interface ComboboxHandle {
  /** Focuses the field and opens the list. */
  open: () => void;
}

interface ComboboxProps extends FieldProps {
  ref?: Ref<ComboboxHandle>;
  value: string;
  onValueChange: (value: string) => void;
  suggestions: readonly Suggestion[];
  /** Picker mode: Enter chooses the first match, and the last row accepts the typed text as is. */
  typedLabel?: (text: string) => string;
  /** Returns a note to show when the user leaves a picker with text that isn't a suggestion. */
  typedNote?: (text: string) => string;
  /** A note at the end of the list, such as why suggestions are missing. */
  note?: string | undefined;
  placeholder?: string | undefined;
  disabled?: boolean;
  onOpen?: (() => void) | undefined;
}

/** A text field that lists all suggestions, then only matches once the user types. Esc reverts. */
export function Combobox(props: ComboboxProps) {
  const { label, value, suggestions, typedLabel, typedNote, note, disabled = false } = props;
  const listId = useId();
  const box = useRef<HTMLSpanElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** The text typed since the list opened; null until the user types. */
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  /**
   * True if the user reached the active row with an arrow key, so Tab and Ctrl+Enter choose it too.
   */
  const [isMarked, setMarked] = useState(false);
  const valueBeforeTyping = useRef(value);

  const isPicker = typedLabel !== undefined;
  const shown = findMatches();
  const isShowing = isOpen && (shown.length > 0 || note !== undefined);

  function findMatches(): readonly Suggestion[] {
    if (typed === null || (isPicker && typed.trim() === '')) return suggestions;
    if (isPicker) return rankSuggestions(suggestions, typed, typedLabel);
    return filterSuggestions(suggestions, typed);
  }

  useLayoutEffect(() => {
    // Select the text so that typing replaces a default that arrives while the list is open.
    if (value !== '' && isPicker && isOpen && typed === null) input.current?.select();
  }, [value, isPicker, isOpen, typed]);

  function show(): void {
    if (isOpen || disabled) return;
    setOpen(true);
    setActive(suggestions.findIndex((suggestion) => suggestion.value === value));
    if (isPicker) input.current?.select();
    props.onOpen?.();
  }

  function close(): void {
    setOpen(false);
    setTyped(null);
    setActive(-1);
    setMarked(false);
  }

  function change(next: string): void {
    if (next !== value) props.onValueChange(next);
  }

  function choose(suggestion: Suggestion): void {
    change(suggestion.value);
    if (box.current) clearInlineNote(box.current);
    close();
  }

  function type(text: string): void {
    if (typed === null) valueBeforeTyping.current = value;
    setOpen(true);
    setTyped(text);
    setActive(isPicker && text.trim() !== '' ? 0 : -1);
    setMarked(false);
    change(isPicker ? text.trim() || valueBeforeTyping.current : text);
  }

  function move(by: number): void {
    if (!isOpen) show();
    if (!isOpen || shown.length === 0) return;
    setActive((at) => (Math.max(at, by > 0 ? -1 : 0) + by + shown.length) % shown.length);
    setMarked(true);
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const { key, ctrlKey, metaKey } = event;
    const suggestion = isShowing ? shown[active] : undefined;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      move(key === 'ArrowDown' ? 1 : -1);
    } else if (key === 'Enter') {
      const isTaken = ctrlKey || metaKey ? isPicker && isMarked : true;
      if (suggestion !== undefined && isTaken) choose(suggestion);
      else close();
    } else if (key === 'Tab' && isPicker && isMarked) {
      if (suggestion !== undefined) choose(suggestion);
    } else if (key === 'Escape' && isShowing) {
      event.preventDefault();
      event.stopPropagation();
      if (typed !== null) change(valueBeforeTyping.current);
      close();
    }
  }

  function leave(): void {
    // Focus moved to another window; keep the state so the user can resume typing afterward.
    if (document.activeElement === input.current) return;
    const text = typed?.trim() ?? '';
    const isOwn = text !== '' && !suggestions.some((suggestion) => suggestion.value === text);
    if (isOwn && typedNote && box.current) showInlineNote(box.current, typedNote(text));
    close();
  }

  function openFromOutside(): void {
    input.current?.focus();
    show();
  }
  useImperativeHandle(props.ref, () => ({ open: openFromOutside }));

  return (
    <Field {...splitProps(props).field}>
      <span ref={box} className={styles.box}>
        <BaseField.Control
          render={
            <input ref={input} type="text" dir="auto" autoComplete="off" spellCheck={false} />
          }
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isShowing}
          aria-controls={listId}
          aria-activedescendant={isShowing && active >= 0 ? `${listId}-${active}` : undefined}
          placeholder={props.placeholder}
          disabled={disabled}
          title={value}
          className={classNames(fieldStyles.control, styles.input)}
          value={isPicker ? (typed ?? value) : value}
          onValueChange={type}
          onClick={show}
          onBlur={leave}
          onKeyDown={handleKey}
        />
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className={styles.open}
          disabled={disabled}
          onMouseDown={(event) => {
            event.preventDefault();
            if (isOpen) close();
            else openFromOutside();
          }}
        >
          <ChevronDownIcon size={12} />
        </button>
        {isShowing && (
          <SuggestionList
            anchor={box}
            id={listId}
            label={label}
            suggestions={shown}
            chosen={value}
            active={active}
            note={note}
            onChoose={choose}
          />
        )}
      </span>
    </Field>
  );
}
