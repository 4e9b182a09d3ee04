import type { Connection } from '../../../shared/connection.ts';
import { selectConnection } from '../../lib/connections.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { EditIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { KeyIcon } from '../../ui/icons/status.tsx';
import { showToast } from '../../ui/show-toast.ts';
import { useConnectionTest } from './connection-test.ts';
import { ConnectionTestResult } from './connection-test-result.tsx';
import styles from './connections.module.css';
import { describeKey } from './key-fields.tsx';

interface ConnectionRowProps {
  connection: Connection;
  /** Runs go here. */
  selected: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

export function ConnectionRow({ connection, selected, onEdit, onDelete }: ConnectionRowProps) {
  const { id, name, baseUrl, kind } = connection;
  const test = useConnectionTest(id);
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
            {describeKey(connection)}
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
            busy={test.isFetching}
            onClick={() => void test.refetch()}
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
      {!test.isFetching && <ConnectionTestResult found={test.data} failure={test.error} />}
    </li>
  );
}
