/**
 * Hand-written because Base UI's Combobox hides the rest of the page from screen readers while
 * open.
 */
import { Field as BaseField } from '@base-ui/react/field';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
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
import {
  filterSuggestions,
  getSuggestionKey,
  rankSuggestions,
  type Suggestion,
} from './suggestions.ts';

export interface ComboboxHandle {
  /** Focuses the field and opens the list. */
  open: () => void;
}

interface ComboboxProps<Choice extends Suggestion> extends FieldProps {
  ref?: Ref<ComboboxHandle>;
  value: string;
  onValueChange: (value: string) => void;
  suggestions: readonly Choice[];
  /** Finds suggestions for the typed text; by default, their value and detail contain its words. */
  match?: (text: string) => readonly (Choice | Suggestion)[];
  /** Replaces the label and detail of a row; `isGrouped` is true below its group's heading. */
  renderRow?: (choice: Choice | Suggestion, isGrouped: boolean) => ReactNode;
  /** Returns true for the chosen row; by default, the one with the field's value. */
  isChosen?: (choice: Choice | Suggestion) => boolean;
  /** Replaces `onValueChange` for a chosen row. */
  onChoose?: (choice: Choice | Suggestion) => void;
  /** Called for the active row on Shift+Enter. */
  onMark?: (choice: Choice | Suggestion) => void;
  /** Controls below the list, which Tab reaches from the field. */
  footer?: ReactNode;
  isWide?: boolean;
  /** Picker mode: Enter chooses the first match, and the last row accepts the typed text as is. */
  typedLabel?: (text: string) => string;
  /** Returns a note to show when the user leaves a picker with text that isn't a suggestion. */
  typedNote?: (text: string) => string | null;
  /** A note at the end of the list, such as why suggestions are missing. */
  note?: string | undefined;
  placeholder?: string | undefined;
  disabled?: boolean;
  onOpen?: (() => void) | undefined;
}

/** Lists all suggestions, then only matches once the user types. Esc reverts the text. */
export function Combobox<Choice extends Suggestion>(props: ComboboxProps<Choice>) {
  const { label, value, suggestions, typedLabel, typedNote, note, disabled = false } = props;
  const { match, footer, isChosen = (choice) => choice.value === value } = props;
  const listId = useId();
  const root = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLSpanElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** The text typed since the list opened; null until the user types. */
  const [typed, setTyped] = useState<string | null>(null);
  /** A row keeps the highlight if rows arrive above it. */
  const [activeRow, setActiveRow] = useState<'none' | 'first' | { key: string }>('none');
  /**
   * True if the user reached the active row with an arrow key, so Tab and Ctrl+Enter choose it too.
   */
  const [isMarked, setMarked] = useState(false);
  const valueBeforeTyping = useRef(value);
  /** The last value that was typed or chosen here. */
  const ownValue = useRef<string | null>(null);

  const isPicker = typedLabel !== undefined;
  const shown = findMatches();
  const active = findActive();
  const isShowing = isOpen && (shown.length > 0 || note !== undefined || footer !== undefined);

  function findActive(): number {
    if (activeRow === 'none') return -1;
    if (activeRow === 'first') return shown.length > 0 ? 0 : -1;
    return shown.findIndex((choice) => getSuggestionKey(choice) === activeRow.key);
  }

  function findMatches(): readonly (Choice | Suggestion)[] {
    if (typed === null || (isPicker && typed.trim() === '')) return suggestions;
    if (match !== undefined) return match(typed);
    if (isPicker) return rankSuggestions(suggestions, typed, typedLabel);
    return filterSuggestions(suggestions, typed);
  }

  useLayoutEffect(() => {
    if (!isPicker || typed !== null || value === '' || value === ownValue.current) return;
    // Select the text so that typing replaces a default that arrives while the field has focus.
    if (document.activeElement === input.current) input.current?.select();
  }, [value, isPicker, typed]);

  function show(): void {
    if (isOpen || disabled) return;
    setOpen(true);
    const chosen = suggestions.find(isChosen);
    setActiveRow(chosen === undefined ? 'none' : { key: getSuggestionKey(chosen) });
    if (isPicker) input.current?.select();
    props.onOpen?.();
  }

  function close(): void {
    setOpen(false);
    setTyped(null);
    setActiveRow('none');
    setMarked(false);
  }

  function change(next: string): void {
    ownValue.current = next;
    if (next !== value) props.onValueChange(next);
  }

  function choose(suggestion: Choice | Suggestion): void {
    if (props.onChoose === undefined) {
      change(suggestion.value);
    } else {
      // Undo the typing first, because the row may not replace the field's value.
      if (typed !== null) change(valueBeforeTyping.current);
      ownValue.current = suggestion.value;
      props.onChoose(suggestion);
    }
    if (box.current) clearInlineNote(box.current);
    close();
  }

  function type(text: string): void {
    if (typed === null) valueBeforeTyping.current = value;
    setOpen(true);
    setTyped(text);
    setActiveRow(isPicker && text.trim() !== '' ? 'first' : 'none');
    setMarked(false);
    change(isPicker ? text.trim() || valueBeforeTyping.current : text);
  }

  function move(by: number): void {
    if (!isOpen) show();
    if (!isOpen || shown.length === 0) return;
    const next = (Math.max(active, by > 0 ? -1 : 0) + by + shown.length) % shown.length;
    const reached = shown[next];
    if (reached !== undefined) setActiveRow({ key: getSuggestionKey(reached) });
    setMarked(true);
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const { key, ctrlKey, metaKey } = event;
    const suggestion = isShowing ? shown[active] : undefined;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      move(key === 'ArrowDown' ? 1 : -1);
    } else if (key === 'Enter' && event.shiftKey && props.onMark !== undefined) {
      event.preventDefault();
      if (suggestion !== undefined) props.onMark(suggestion);
    } else if (key === 'Enter') {
      const isShortcut = ctrlKey || metaKey;
      const isTaken = isShortcut ? isPicker && isMarked : true;
      if (suggestion !== undefined && isTaken) {
        // Enter would also submit the form.
        if (!isShortcut) event.preventDefault();
        choose(suggestion);
      } else close();
    } else if (key === 'Tab' && isPicker && isMarked) {
      if (suggestion !== undefined) choose(suggestion);
    } else if (key === 'Escape' && isShowing) {
      event.preventDefault();
      event.stopPropagation();
      if (typed !== null) change(valueBeforeTyping.current);
      close();
    }
  }

  function leave({ relatedTarget }: FocusEvent): void {
    // Focus moved to another window; keep the state so the user can resume typing afterward.
    if (document.activeElement === input.current) return;
    // Focus moved to the footer, or back to the field.
    if (relatedTarget instanceof Node && root.current?.contains(relatedTarget)) return;
    const text = typed?.trim() ?? '';
    const isOwn = text !== '' && !suggestions.some((suggestion) => suggestion.value === text);
    const typedText = isOwn ? (typedNote?.(text) ?? null) : null;
    if (typedText !== null && box.current) showInlineNote(box.current, typedText);
    close();
  }

  function openFromOutside(): void {
    input.current?.focus();
    show();
  }
  useImperativeHandle(props.ref, () => ({ open: openFromOutside }));

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the list's footer too.
    <div
      ref={root}
      className={styles.root}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.target === input.current || !isShowing) return;
        event.preventDefault();
        event.stopPropagation();
        input.current?.focus();
        close();
      }}
    >
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
        </span>
      </Field>
      {/* Render the list outside the field, because the field's label would name its controls. */}
      {isShowing && (
        <SuggestionList
          anchor={box}
          id={listId}
          label={label}
          suggestions={shown}
          isChosen={isChosen}
          active={active}
          note={note}
          footer={footer}
          isWide={props.isWide ?? false}
          renderRow={props.renderRow}
          onChoose={choose}
        />
      )}
    </div>
  );
}
