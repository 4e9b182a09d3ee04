import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useSettings } from '../../../lib/settings.ts';
import { useIsLoaded } from '../../../run/form/use-form.ts';
import styles from './composer.module.css';
import { type ComposerForm, messageIn, writeText } from './composer-form.ts';
import { RawTextArea } from './raw-text-area.tsx';

/** Measuring a megabyte with every key makes typing slow: a longer text has a fixed size. */
const MEASURED_LENGTH = 20_000;

interface MessageTextProps {
  area: RefObject<HTMLTextAreaElement | null>;
  form: ComposerForm;
  /** From wherever the focus is: the user has asked for a new conversation. */
  focused: boolean;
  /** Enter was pressed, where the settings say that it sends. */
  onEnter: () => void;
}

/** Keeps its own text, which may be a megabyte, and ignores changes of the form that it reported itself. */
export function MessageText({ area, form, focused, onEnter }: MessageTextProps) {
  const isLoaded = useIsLoaded(form);
  const { enterSends } = useSettings();
  const [initial] = useState(() => messageIn(form).text);
  const shown = useRef(initial);
  useLayoutEffect(() => {
    function show(): void {
      const { text } = messageIn(form);
      if (text === shown.current || area.current === null) return;
      shown.current = text;
      area.current.value = text;
      markLong(area.current);
    }
    show();
    if (area.current !== null) markLong(area.current);
    return form.state.subscribe(show);
  }, [form, area]);
  // After a reload, a shortcut from another panel or the first message, the focus is nowhere in particular.
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
      label="Message"
      className={styles.text}
      placeholder="Write a message"
      defaultValue={initial}
      rows={1}
      autoFocus={focused}
      readOnly={!isLoaded}
      onInput={(event) => {
        shown.current = event.currentTarget.value;
        markLong(event.currentTarget);
        writeText(form, shown.current);
      }}
      onKeyDown={(event) => {
        const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
        if (!enterSends || key !== 'Enter' || shiftKey || ctrlKey || metaKey || altKey) return;
        // Enter that accepts a word of an input method sends nothing.
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
