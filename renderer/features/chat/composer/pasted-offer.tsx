import { type ClipboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { PastedText } from '../../../../shared/pasted/read-pasted.ts';
import { toAppError } from '../../../lib/app-error.ts';
import {
  getPastedPanel,
  openPaste,
  readPaste,
  takeRequestText,
} from '../../../run/paste/read-paste.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Waiting } from '../../../ui/spinner.tsx';
import styles from './composer.module.css';
import { type ComposerForm, getMessage, isEmpty, writeText } from './composer-form.ts';

type Paste =
  | { step: 'reading'; text: string }
  | { step: 'offered' | 'opening'; text: string; pasted: PastedText; error: AppError | null }
  /** The text was inserted, because it can't be read. */
  | { step: 'unreadable'; message: string };

/** Holds a request that was pasted into an empty message until the user says what it is. */
export function usePastedRequest(form: ComposerForm, area: RefObject<HTMLTextAreaElement | null>) {
  const [paste, setPaste] = useState<Paste | null>(null);

  function insert(text: string) {
    setPaste(null);
    const field = area.current;
    if (field === null) return;
    field.focus({ preventScroll: true });
    // This keeps the browser's own undo, which setting the value would clear.
    if (!document.execCommand('insertText', false, text)) writeText(form, text);
  }

  async function read(text: string) {
    setPaste({ step: 'reading', text });
    const result = await readPaste(text).catch(() => null);
    if (result?.kind === 'request') {
      setPaste({ step: 'offered', text, pasted: result.pasted, error: null });
      return;
    }
    insert(text);
    if (result !== null) setPaste({ step: 'unreadable', message: result.message });
  }

  async function open(text: string, pasted: PastedText) {
    setPaste({ step: 'opening', text, pasted, error: null });
    try {
      await openPaste(pasted);
      setPaste(null);
    } catch (error) {
      setPaste({ step: 'offered', text, pasted, error: toAppError(error) });
    }
  }

  return {
    paste,
    insert,
    open: (text: string, pasted: PastedText) => void open(text, pasted),
    dismiss: () => {
      setPaste(null);
      area.current?.focus({ preventScroll: true });
    },
    handlePaste: (event: ClipboardEvent<HTMLTextAreaElement>) => {
      if (!isEmpty(getMessage(form)) || event.currentTarget.readOnly) return;
      const text = takeRequestText(event.clipboardData);
      if (text === null) return;
      event.preventDefault();
      void read(text);
    },
  };
}

export function PastedOffer({ paste, insert, open, dismiss }: Omit<PastedRequest, 'handlePaste'>) {
  if (paste === null) return null;
  if (paste.step === 'reading') return <Waiting role="status">Reading the pasted text…</Waiting>;
  if (paste.step === 'unreadable') {
    return (
      <div className={`row-8 ${styles.paste}`} role="status">
        <p className="grow">This looks like a request, but it can’t be read. {paste.message}</p>
        <Button size="small" variant="quiet" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
    );
  }
  const { text, pasted, error, step } = paste;
  const panel = getPastedPanel(pasted);
  return (
    <fieldset
      className={styles.paste}
      aria-label="Pasted request"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        insert(text);
      }}
    >
      {error !== null && <ErrorAlert compact error={error} />}
      <p>{describe(pasted)}</p>
      <div className="wrap-4">
        <OpenButton busy={step === 'opening'} onClick={() => open(text, pasted)}>
          {`Open in ${panel}`}
        </OpenButton>
        <Button size="small" onClick={() => insert(text)}>
          Insert as text
        </Button>
      </div>
    </fieldset>
  );
}

type PastedRequest = ReturnType<typeof usePastedRequest>;

interface OpenButtonProps {
  busy: boolean;
  onClick: () => void;
  children: string;
}

/** Takes the focus, so that Enter opens the request and Escape inserts its text. */
function OpenButton(props: OpenButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return <Button {...props} ref={button} size="small" />;
}

/** Such as `You pasted a request to api.openai.com. The Authorization header will be left out.` */
function describe({ request, removed }: PastedText): string {
  const host = request.url === null ? null : (URL.parse(request.url)?.host ?? null);
  const what = host === null ? 'You pasted a request.' : `You pasted a request to ${host}.`;
  if (removed.length === 0) return what;
  const list = new Intl.ListFormat('en-US').format(removed);
  return `${what} ${list.slice(0, 1).toUpperCase()}${list.slice(1)} will be left out.`;
}
