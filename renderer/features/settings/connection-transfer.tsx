import { useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { MAX_CONNECTION_FILE_LENGTH } from '../../../shared/connection-file.ts';
import { type AppError, appError, type FieldError } from '../../../shared/errors.ts';
import { api } from '../../lib/api.ts';
import { getFieldErrors } from '../../lib/field-errors.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { PageError } from '../../lib/page-failure.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import styles from './connections.module.css';

interface ConnectionTransferProps {
  /** True if there is a connection to export. */
  hasOwn: boolean;
  onImported: (ids: string[]) => void;
}

/** Exports connections to a file without their secrets, and imports such a file. */
export function ConnectionTransfer({ hasOwn, onImported }: ConnectionTransferProps) {
  const transfer = useAttempt();
  const [done, setDone] = useState<string | null>(null);

  function importFile([file]: File[]) {
    if (file === undefined) return;
    setDone(null);
    void transfer.attempt(async () => {
      // A character takes at most four bytes, so a larger file must be too long.
      if (file.size > 4 * MAX_CONNECTION_FILE_LENGTH) throw new PageError(tooLarge);
      const added = await api.connections.import({ text: await file.text() });
      onImported(added.map(({ id }) => id));
      const imported = `${pluralize(added.length, 'connection')} imported. Enter the keys to use them.`;
      setDone([imported, ...added.flatMap(describeRoute)].join(' '));
    });
  }

  function exportAll() {
    setDone(null);
    void transfer.attempt(async () => {
      const file = await api.connections.export();
      const text = JSON.stringify(file, null, 2);
      saveBlob(new Blob([text], { type: 'application/json' }), 'gatehouse-connections.json');
      setDone(`${pluralize(file.connections.length, 'connection')} exported, without keys.`);
    });
  }

  const { error } = transfer;
  const problems = getFieldErrors(error).filter(({ path }) => path[0] === 'connections');
  return (
    <div className="stack-8">
      <ActionBar>
        <Button
          size="small"
          disabledReason={hasOwn ? null : 'No connections to export.'}
          onClick={exportAll}
        >
          Export connections
        </Button>
        <FileButton
          size="small"
          busy={transfer.busy}
          inputLabel="Connections to import"
          accept="application/json,.json"
          onFiles={importFile}
        >
          Import connections
        </FileButton>
        <span role="status" className="caption">
          {done}
        </span>
      </ActionBar>
      {error !== null && <ErrorAlert compact error={describeImport(error, problems)} />}
      {problems.length > 0 && (
        <ul aria-label="Problems in the file" className={styles.problems}>
          {problems.map(({ path, message }) => (
            <li key={path.join('.')}>
              <span className="mono">{namePlace(path)}</span> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A proxy or certificate authority from a file could read the key that the user enters. */
function describeRoute({ name, options }: Connection): string[] {
  const { proxy, caCertificates } = options;
  const parts = [
    ...(proxy.kind === 'url' ? [`the proxy ${proxy.url}`] : []),
    ...(caCertificates.length > 0 ? ['its own certificate authority'] : []),
  ];
  if (parts.length === 0) return [];
  return [
    `${name} uses ${parts.join(' and ')}. Remove what you don’t trust before you enter a key.`,
  ];
}

/** The list below shows each problem, so the heading only counts them. */
function describeImport(error: AppError, problems: readonly FieldError[]): AppError {
  if (problems.length === 0) return error;
  return { ...error, message: `The file has ${pluralize(problems.length, 'problem')}.` };
}

/** Writes `Connection 2, headers.0.name`. */
function namePlace([, index, ...field]: readonly string[]): string {
  const place = index === undefined ? 'File' : `Connection ${Number(index) + 1}`;
  return field.length === 0 ? `${place}:` : `${place}, ${field.join('.')}:`;
}

const tooLarge = appError(
  'file',
  'The file is too large.',
  'Choose a JSON file that Gatehouse exported.',
);
