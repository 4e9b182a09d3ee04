import {
  type ClipboardEvent,
  type ComponentPropsWithRef,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useSettings } from '../../../lib/settings.ts';
import { useIsLoaded } from '../../../run/form/use-form.ts';
import { chatLabels } from '../conversation/chat-labels.ts';
import { type ComposerForm, getMessage, writeText } from '../conversation/composer-form.ts';
import styles from './composer.module.css';

/** Longer text gets a fixed height, because measuring it on every keystroke makes typing slow. */
const MEASURED_LENGTH = 20_000;

interface MessageTextProps {
  area: RefObject<HTMLTextAreaElement | null>;
  form: ComposerForm;
  focused: boolean;
  /** Called on Enter, but only if the `enterSends` setting is on. */
  onEnter: () => void;
  onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
}

/** Keeps its own text and applies form changes only if they came from elsewhere. */
export function MessageText({ area, form, focused, onEnter, onPaste }: MessageTextProps) {
  const isLoaded = useIsLoaded(form);
  const { enterSends } = useSettings();
  const [initial] = useState(() => getMessage(form).text);
  const shown = useRef(initial);
  useLayoutEffect(() => {
    function show(): void {
      const { text } = getMessage(form);
      if (text === shown.current || area.current === null) return;
      shown.current = text;
      area.current.value = text;
      markLong(area.current);
    }
    show();
    if (area.current !== null) markLong(area.current);
    return form.state.subscribe(show);
  }, [form, area]);
  // After a reload or a panel switch, focus the message unless something else has focus.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (activeElement === body || activeElement?.matches('main')) {
      area.current?.focus({ preventScroll: true });
    }
  }, [area]);
  return (
    <RawTextArea
      ref={area}
      data-run-control
      label={chatLabels.text}
      className={styles.text}
      placeholder="Write a message"
      defaultValue={initial}
      rows={1}
      autoFocus={focused}
      readOnly={!isLoaded}
      onPaste={onPaste}
      onInput={(event) => {
        shown.current = event.currentTarget.value;
        markLong(event.currentTarget);
        writeText(form, shown.current);
      }}
      onKeyDown={(event) => {
        const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
        if (!enterSends || key !== 'Enter' || shiftKey || ctrlKey || metaKey || altKey) return;
        // Ignore Enter while an input method (IME) is composing, because it confirms the word.
        if (event.nativeEvent.isComposing) return;
        event.preventDefault();
        if (!event.repeat) onEnter();
      }}
    />
  );
}

function markLong(area: HTMLTextAreaElement): void {
  area.toggleAttribute('data-long', area.value.length > MEASURED_LENGTH);
}

interface RawTextAreaProps
  extends Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'value' | 'className'> {
  label: string;
  className?: string | undefined;
  maxRows?: number;
}

/** Uncontrolled, because a controlled text area is slow with a megabyte of text. */
export function RawTextArea({ label, className, maxRows = 10, ...rest }: RawTextAreaProps) {
  return (
    <div className={className}>
      <textarea
        dir="auto"
        autoComplete="off"
        spellCheck
        rows={2}
        {...rest}
        aria-label={label}
        className={styles.area}
        style={{ maxHeight: `calc(${maxRows}lh + 14px)` }}
      />
    </div>
  );
}
