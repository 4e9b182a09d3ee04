import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection, KeyKeeping, KeyProtection } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './connections.module.css';

interface KeyFieldsProps {
  draft: KeyDraft;
  known: Connection | null;
  /** The base URL as currently edited, which may not be saved yet. */
  baseUrl: string;
  problem: string | null;
}

/** Lets the user replace a saved key without ever showing it. */
export function KeyFields({ draft, known, baseUrl, problem }: KeyFieldsProps) {
  const info = useQuery(orpc.system.info.queryOptions()).data;
  const options = info?.keyKeeping ?? [];
  const keeping = draft.keeping ?? options[0];
  const hasKey = known !== null && known.key !== null;
  const isDeleted = hasKey && isOtherOrigin(baseUrl, known.baseUrl);

  if (hasKey && draft.intent !== 'replace' && !isDeleted && draft.key === '') {
    const removing = draft.intent === 'remove';
    return (
      <div className="row-8 between">
        <div className={styles.about}>
          <span className="label">API key</span>
          <p className={styles.caution}>
            {removing ? 'The key will be removed when you save.' : describeKey(known)}
          </p>
        </div>
        <div className={styles.actions}>
          {removing ? (
            <Button size="small" onClick={() => draft.choose('keep')}>
              Keep key
            </Button>
          ) : (
            <>
              <Button size="small" onClick={() => draft.choose('replace')}>
                Replace key
              </Button>
              <Button size="small" variant="quiet" onClick={() => draft.choose('remove')}>
                Remove key
              </Button>
            </>
          )}
        </div>
      </div>
    );
  }

  return (
    <>
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        monospace
        autoFocus={hasKey && !isDeleted}
        value={draft.key}
        onValueChange={draft.type}
        error={problem}
        help={
          isDeleted
            ? 'The saved key is deleted, because it belongs to another address. Enter the key for this one.'
            : 'Only sent to this gateway. You can’t view it after saving.'
        }
      />
      {keeping !== undefined && (
        <Select
          label="Store key"
          value={keeping}
          options={options.map((option) => ({ value: option, label: keepingLabels[option] }))}
          onValueChange={draft.keepAs}
          help={info?.keyringReason ?? undefined}
        />
      )}
    </>
  );
}

/** Returns true if the origin changed, in which case the main process deletes the key. */
function isOtherOrigin(edited: string, saved: string): boolean {
  const url = URL.parse(edited.trim());
  return url !== null && url.origin !== URL.parse(saved)?.origin;
}

type KeyIntent = 'keep' | 'replace' | 'remove';

type KeyDraft = ReturnType<typeof useKeyDraft>;

/** Keeps a typed key only in component state. */
export function useKeyDraft() {
  const [intent, setIntent] = useState<KeyIntent>('keep');
  const [key, setKey] = useState('');
  // Default to the best available option until the user chooses one.
  const [keeping, setKeeping] = useState<KeyKeeping | null>(null);
  function choose(next: KeyIntent) {
    setIntent(next);
    setKey('');
  }
  return { intent, key, keeping, choose, type: setKey, keepAs: setKeeping };
}

const protections: Record<KeyProtection, string> = {
  session: 'stored for this session only',
  file: 'stored unencrypted in a file only your user account can read',
  keyring: 'encrypted by the system keyring',
  environment: 'from GATEHOUSE_API_KEY',
};

export function describeKey({ kind, key }: Pick<Connection, 'kind' | 'key'>): string {
  if (kind === 'demo') return 'Built in. Simulated models on your computer; no key needed.';
  if (key === null) return 'No key';
  const ending = key.lastFour === '' ? 'Key' : `Key ending in ${key.lastFour}`;
  return `${ending}, ${protections[key.protection]}`;
}

const keepingLabels: Record<KeyKeeping, string> = {
  keyring: 'Encrypted by the system keyring',
  session: 'For this session only',
  file: 'Unencrypted, in a file only your user account can read',
};
