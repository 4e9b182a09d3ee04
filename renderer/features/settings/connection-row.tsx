import { useMutation } from '@tanstack/react-query';
import type { Connection, ConnectionTest } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectConnection } from '../../lib/connections.ts';
import { formatDuration } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { EditIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { CheckIcon, KeyIcon } from '../../ui/icons/status.tsx';
import { showToast } from '../../ui/show-toast.ts';
import styles from './connections.module.css';
import { keyWords } from './key-fields.tsx';

interface ConnectionRowProps {
  connection: Connection;
  /** Runs go here. */
  selected: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

export function ConnectionRow({ connection, selected, onEdit, onDelete }: ConnectionRowProps) {
  const { id, name, baseUrl, kind } = connection;
  const test = useMutation(orpc.connections.test.mutationOptions());
  const use = () =>
    selectConnection(id).catch(() =>
      showToast({ message: `${name} could not be selected. Try again.`, tone: 'danger' }),
    );
  return (
    <li className={styles.connection} aria-label={name}>
      <div className={styles.line}>
        <div className={styles.about}>
          <p className={styles.name}>
            {name}
            {selected && <span className={classNames(styles.chip, styles.inUse)}>In use</span>}
          </p>
          <p className={styles.url} title={baseUrl}>
            {baseUrl}
          </p>
          <p className={styles.key}>
            <KeyIcon size={12} />
            {keyWords(connection)}
          </p>
        </div>
        <div className={styles.actions}>
          {!selected && (
            <Button size="small" variant="quiet" onClick={use}>
              Use
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            busy={test.isPending}
            onClick={() => test.mutate({ id })}
          >
            Test
          </Button>
          {kind === 'custom' && (
            <>
              <IconButton label={`Edit ${name}`} icon={<EditIcon />} onClick={onEdit} />
              <IconButton label={`Delete ${name}`} icon={<TrashIcon />} onClick={onDelete} />
            </>
          )}
        </div>
      </div>
      {!test.isPending && <ConnectionTestResult found={test.data} failure={test.error} />}
    </li>
  );
}

interface ConnectionTestResultProps {
  found: ConnectionTest | undefined;
  /** The test itself could not be made. */
  failure: Error | null;
}

/** What answered the one harmless request, where the user pressed Test. */
function ConnectionTestResult({ found, failure }: ConnectionTestResultProps) {
  if (failure !== null) return <ErrorAlert error={toAppError(failure)} />;
  if (found === undefined) return null;
  if (found.error !== null) return <ErrorAlert error={found.error} />;
  return (
    <div role="status" className={styles.answer}>
      <CheckIcon />
      <div className={styles.about}>
        <p>{found.summary}</p>
        <p className={styles.url}>
          GET {found.url} · {found.status} · {formatDuration(found.durationMs)}
        </p>
      </div>
    </div>
  );
}
