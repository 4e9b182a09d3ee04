import { useQuery } from '@tanstack/react-query';
import type { Connection, KeyKeeping, KeyProtection } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { keepingLabels } from '../../lib/connections.ts';
import { isPaste } from '../../lib/is-paste.ts';
import { Button } from '../../ui/button.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { Select } from '../../ui/select.tsx';
import { type ConnectionFields, hasDifferentOrigin, isBasic } from './connection-fields.ts';
import styles from './connections.module.css';

interface KeyFieldsProps {
  fields: ConnectionFields;
  known: Connection | null;
  /** Tells the user which part of a pasted key was removed; null if none. */
  note: string | null;
  problem: string | null;
  /** Focuses the key when the dialog opens. */
  isFirst: boolean;
  onChange: (changed: Partial<ConnectionFields>) => void;
  /** Cleans pasted text. */
  onClean: (changed?: Partial<ConnectionFields>) => void;
}

/** Lets the user replace a saved key without ever showing it. */
export function KeyFields(props: KeyFieldsProps) {
  const { fields, known, note, problem, isFirst, onChange, onClean } = props;
  const { key, keyIntent, keeping: chosen, keyHeader, baseUrl } = fields;
  const info = useQuery(orpc.system.info.queryOptions()).data;
  const options = info?.keyKeeping ?? [];
  const keeping = chosen ?? options[0];
  const hasKey = known !== null && known.key !== null;
  const isDeleted = hasKey && hasDifferentOrigin(baseUrl, known.baseUrl);

  if (hasKey && keyIntent !== 'replace' && !isDeleted && key === '') {
    const removing = keyIntent === 'remove';
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
            <Button size="small" onClick={() => onChange({ keyIntent: 'keep' })}>
              Keep key
            </Button>
          ) : (
            <>
              <Button size="small" onClick={() => onChange({ keyIntent: 'replace' })}>
                Replace key
              </Button>
              <Button
                size="small"
                variant="quiet"
                onClick={() => onChange({ keyIntent: 'remove', key: '' })}
              >
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
      <SecretField
        label="API key"
        placeholder="sk-…"
        // On the first render, the dialog must still see that its opener has focus.
        autoFocus={hasKey && !isDeleted && !isFirst}
        data-initial-focus={isFirst || undefined}
        value={key}
        onValueChange={(next, { event }) => {
          if (isPaste(event)) onClean({ key: next });
          else onChange({ key: next });
        }}
        onBlur={() => onClean()}
        error={problem}
        help={note ?? describeKeyField({ known, isDeleted, isBasic: isBasic(keyHeader) })}
      />
      {keeping !== undefined && (
        <Select
          label="Store key"
          value={keeping}
          options={options.map((option) => ({ value: option, label: keepingLabels[option] }))}
          onValueChange={(next) => onChange({ keeping: next })}
          help={describeKeeping(keeping, info?.keyringReason ?? null)}
        />
      )}
    </>
  );
}

function describeKeeping(keeping: KeyKeeping, keyringReason: string | null): string | undefined {
  const forgets =
    keeping === 'session' ? 'You’ll have to enter it again after Gatehouse restarts.' : '';
  return [keyringReason ?? '', forgets].filter((text) => text !== '').join(' ') || undefined;
}

interface KeyField {
  known: Connection | null;
  isDeleted: boolean;
  isBasic: boolean;
}

function describeKeyField(field: KeyField): string {
  if (field.isDeleted) {
    return 'The saved key is deleted, because it belongs to another address. Enter the key for this one.';
  }
  if (field.known?.lost.key) return LOST_KEY;
  if (field.isBasic) return 'Your user name and password, as user:password.';
  return 'Only sent to this gateway. You can’t view it after saving.';
}

const LOST_KEY = 'The key was kept for the session only. Enter it again.';

const protections: Record<KeyProtection, string> = {
  session: 'stored for this session only',
  file: 'stored unencrypted in a file only your user account can read',
  keyring: 'encrypted by the system keyring',
  environment: 'from GATEHOUSE_API_KEY',
};

export function describeKey({
  kind,
  key,
  lost,
}: Pick<Connection, 'kind' | 'key' | 'lost'>): string {
  if (kind === 'demo') return 'Built in. Simulated models on your computer; no key needed.';
  if (lost.key) return LOST_KEY;
  if (key === null) return 'No key';
  const ending = key.lastFour === '' ? 'Key' : `Key ending in ${key.lastFour}`;
  return `${ending}, ${protections[key.protection]}`;
}
