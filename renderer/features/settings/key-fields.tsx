import { useQuery } from '@tanstack/react-query';
import type { Connection } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './connections.module.css';
import { keepingLabels, keyWords } from './key-words.ts';
import type { KeyDraft } from './use-key-draft.ts';

export interface KeyFieldsProps {
  draft: KeyDraft;
  /** The connection as main has it; null while it is being added. */
  known: Connection | null;
  problem: string | null;
}

/** The one place where a key can be typed. A key that is set is never shown, only replaced. */
export function KeyFields({ draft, known, problem }: KeyFieldsProps) {
  const info = useQuery(orpc.system.info.queryOptions()).data;
  const options = info?.keyKeeping ?? [];
  const keeping = draft.keeping ?? options[0];
  const hasKey = known !== null && known.key !== null;

  if (hasKey && draft.intent !== 'replace') {
    const removing = draft.intent === 'remove';
    return (
      <div className={styles.keyState}>
        <div className={styles.about}>
          <span className={styles.keyLabel}>API key</span>
          <p className={styles.caution}>
            {removing ? 'The key is removed when you save.' : keyWords(known)}
          </p>
        </div>
        <div className={styles.actions}>
          {removing ? (
            <Button size="small" onClick={() => draft.choose('keep')}>
              Keep it
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
        autoFocus={hasKey}
        value={draft.key}
        onValueChange={draft.type}
        error={problem}
        help="Goes to this connection only. Once saved it is never shown again."
      />
      {keeping !== undefined && (
        <Select
          label="Keep the key"
          value={keeping}
          options={options.map((option) => ({ value: option, label: keepingLabels[option] }))}
          onValueChange={draft.keepAs}
          help={keeping === 'keyring' ? undefined : (info?.keyringReason ?? undefined)}
        />
      )}
    </>
  );
}
