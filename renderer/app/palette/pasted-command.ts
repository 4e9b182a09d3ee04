import { type ClipboardEvent, useRef, useState } from 'react';
import type { PastedResult } from '../../../shared/pasted/read-pasted.ts';
import { toAppError } from '../../lib/app-error.ts';
import {
  getPastedPanel,
  openPaste,
  readPaste,
  takeRequestText,
} from '../../run/paste/read-paste.ts';
import { showToast } from '../../ui/show-toast.ts';
import type { CommandGroup } from './rank-commands.ts';

/** Intercepts pasted commands, because a single-line field would drop their line breaks. */
export function usePaste(setQuery: (query: string) => void) {
  const [paste, setPaste] = useState<PastedResult | null>(null);
  const [isReading, setIsReading] = useState(false);
  const latest = useRef<string | null>(null);

  function forgetPaste() {
    latest.current = null;
    setPaste(null);
    setIsReading(false);
  }

  function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = takeRequestText(event.clipboardData);
    if (text === null) return;
    event.preventDefault();
    // Keep the text out of the query, which is searched, because it may contain a key.
    setQuery('Pasted request');
    setPaste(null);
    setIsReading(true);
    latest.current = text;
    readPaste(text).then(
      (result) => {
        if (latest.current !== text) return;
        setPaste(result);
        setIsReading(false);
      },
      (error: unknown) => {
        if (latest.current !== text) return;
        setPaste({ kind: 'problem', message: toAppError(error).message });
        setIsReading(false);
      },
    );
  }

  return { paste, isReading, handlePaste, forgetPaste };
}

/** Offers to open the request; empty if it can't be read. */
export function groupPaste(paste: PastedResult): CommandGroup[] {
  if (paste.kind === 'problem') return [];
  const { pasted } = paste;
  const { url, method } = pasted.request;
  const open = {
    id: 'paste.open',
    title: `Open pasted request in ${getPastedPanel(pasted)}`,
    group: 'Pasted',
    detail: url === null ? undefined : `${method} ${URL.parse(url)?.host ?? url.slice(0, 80)}`,
    run: () => {
      openPaste(pasted).catch((error: unknown) =>
        showToast({ message: toAppError(error).message, tone: 'danger' }),
      );
    },
  };
  return [{ name: open.group, commands: [open] }];
}
