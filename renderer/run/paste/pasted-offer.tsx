import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { PastedText } from '../../../shared/pasted/read-pasted.ts';
import { toAppError } from '../../lib/app-error.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon } from '../../ui/icons/actions.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import styles from './pasted-offer.module.css';
import { getPastedPanel, openPaste, readPaste, takeRequestText } from './read-paste.ts';

/** Pasted text isn't in the field yet, because it may contain a key, and fields are stored. */
type Paste = { text: string; takesFocus: boolean } & (
  | { step: 'reading' }
  | { step: 'unreadable'; message: string }
  | { step: 'offered' | 'opening'; pasted: PastedText; error: AppError | null }
);

interface PasteEvent {
  clipboardData: DataTransfer | null;
  preventDefault: () => void;
}

interface PasteTarget {
  /** Focuses the field and inserts the text, as the paste would have. */
  insert: (text: string) => void;
  focus: () => void;
  /** Keeps the text if the field unmounts before the user answers. */
  keep?: (text: string) => void;
  /** Returns the text that was kept, to offer it again without taking focus; null for none. */
  restore?: () => string | null;
  /** Returns false for a request that belongs in the field itself. */
  isOffered?: (pasted: PastedText) => boolean;
}

/** Holds a pasted request until the user decides what to do; another paste inserts it. */
export function usePastedRequest(target: PasteTarget) {
  const { insert, focus, keep, restore, isOffered = () => true } = target;
  const [paste, setPaste] = useState<Paste | null>(null);
  /** Mirrors `paste` for results that arrive late. */
  const held = useRef<Paste | null>(null);

  function hold(next: Paste | null) {
    held.current = next;
    setPaste(next);
  }

  function insertText(text: string) {
    hold(null);
    insert(text);
  }

  const keepHeld = useEffectEvent(() => {
    const left = held.current;
    held.current = null;
    // A request that is being opened usually replaces the field.
    if (left !== null && left.step !== 'opening') keep?.(left.text);
  });
  const restoreKept = useEffectEvent(() => {
    const kept = restore?.() ?? null;
    if (kept !== null) void read(kept, false);
  });
  useEffect(() => {
    restoreKept();
    return () => keepHeld();
  }, []);

  async function read(text: string, takesFocus: boolean) {
    const reading: Paste = { step: 'reading', text, takesFocus };
    hold(reading);
    const result = await readPaste(text).catch(() => null);
    if (held.current !== reading) return;
    if (result === null) insertText(text);
    else if (result.kind === 'problem') {
      hold({ step: 'unreadable', text, takesFocus, message: result.message });
    } else if (isOffered(result.pasted)) {
      hold({ step: 'offered', text, takesFocus, pasted: result.pasted, error: null });
    } else insertText(text);
  }

  async function open(text: string, pasted: PastedText) {
    const opening: Paste = { step: 'opening', text, takesFocus: true, pasted, error: null };
    hold(opening);
    try {
      await openPaste(pasted);
      if (held.current === opening) hold(null);
    } catch (error) {
      if (held.current === opening) hold({ ...opening, step: 'offered', error: toAppError(error) });
      else keep?.(text);
    }
  }

  return {
    paste,
    insert: insertText,
    open: (text: string, pasted: PastedText) => void open(text, pasted),
    discard: () => {
      hold(null);
      focus();
    },
    /** Returns false for text that isn't a request, which is then pasted as usual. */
    takePaste: (event: PasteEvent): boolean => {
      const text = event.clipboardData && takeRequestText(event.clipboardData);
      if (text === null) return false;
      event.preventDefault();
      const earlier = held.current;
      if (earlier !== null && earlier.step !== 'opening') insertText(earlier.text);
      void read(text, true);
      return true;
    },
  };
}

export function PastedOffer({ paste, insert, open, discard }: Omit<PastedRequest, 'takePaste'>) {
  const descriptionId = useId();
  if (paste === null) return null;
  if (paste.step === 'reading') return <Waiting role="status">Reading the pasted text…</Waiting>;
  const { text, step, takesFocus } = paste;
  return (
    <fieldset
      className={styles.offer}
      aria-label="Pasted request"
      aria-describedby={descriptionId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        insert(text);
      }}
    >
      {step !== 'unreadable' && paste.error !== null && <ErrorAlert compact error={paste.error} />}
      <p className="grow" id={descriptionId}>
        {step === 'unreadable'
          ? `This looks like a request, but it can’t be read. ${paste.message}`
          : describe(paste.pasted)}
      </p>
      <div className="wrap-4 fixed">
        {step !== 'unreadable' && (
          <DefaultButton
            takesFocus={takesFocus}
            busy={step === 'opening'}
            onClick={() => open(text, paste.pasted)}
          >
            {`Open in ${getPastedPanel(paste.pasted)}`}
          </DefaultButton>
        )}
        {step === 'unreadable' ? (
          <DefaultButton takesFocus={takesFocus} onClick={() => insert(text)}>
            Insert as text
          </DefaultButton>
        ) : (
          <Button size="small" onClick={() => insert(text)}>
            Insert as text
          </Button>
        )}
        <IconButton label="Discard" icon={<CloseIcon size={14} />} size="small" onClick={discard} />
      </div>
    </fieldset>
  );
}

type PastedRequest = ReturnType<typeof usePastedRequest>;

interface DefaultButtonProps {
  takesFocus: boolean;
  busy?: boolean;
  onClick: () => void;
  children: string;
}

/** Renders a button that takes focus after a paste, so that Enter presses it. */
function DefaultButton({ takesFocus, ...props }: DefaultButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const focusIfNew = useEffectEvent(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true });
  });
  useEffect(() => focusIfNew(), []);
  return <Button {...props} ref={button} variant="primary" size="small" />;
}

/** Returns `You pasted a request to api.openai.com. The Authorization header will be left out.` */
function describe({ request, removed }: PastedText): string {
  const host = request.url === null ? null : (URL.parse(request.url)?.host ?? null);
  const what = host === null ? 'You pasted a request.' : `You pasted a request to ${host}.`;
  if (removed.length === 0) return what;
  const list = new Intl.ListFormat('en-US').format(removed);
  return `${what} ${list.slice(0, 1).toUpperCase()}${list.slice(1)} will be left out.`;
}
