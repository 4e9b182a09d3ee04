import { useState } from 'react';
import type { KeyKeeping } from '../../../shared/connection.ts';

export type KeyIntent = 'keep' | 'replace' | 'remove';

export interface KeyDraft {
  intent: KeyIntent;
  key: string;
  /** Null until the user chose: then the best that this machine has. */
  keeping: KeyKeeping | null;
  choose: (intent: KeyIntent) => void;
  type: (key: string) => void;
  keepAs: (keeping: KeyKeeping) => void;
  /** Forgets what was typed. */
  clear: () => void;
}

/** What the user means to do with the key. It lives in this component's memory only. */
export function useKeyDraft(): KeyDraft {
  const [intent, setIntent] = useState<KeyIntent>('keep');
  const [key, setKey] = useState('');
  const [keeping, setKeeping] = useState<KeyKeeping | null>(null);
  return {
    intent,
    key,
    keeping,
    choose: (next) => {
      setIntent(next);
      setKey('');
    },
    type: setKey,
    keepAs: setKeeping,
    clear: () => {
      setIntent('keep');
      setKey('');
    },
  };
}
