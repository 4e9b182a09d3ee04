import { formatBytes } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './upload-list.module.css';
import type { Upload, Uploads } from './use-uploads.ts';

/** Files on their way, and those that were refused; nothing when there are none. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.uploads.length === 0) return null;
  return (
    <ul className={styles.list}>
      {uploads.uploads.map((upload) => (
        <li key={upload.id}>
          {upload.error === null ? (
            <Sending upload={upload} onStop={() => uploads.stop(upload.id)} />
          ) : (
            <ErrorAlert
              compact
              error={upload.error}
              // The same file would be refused again.
              onRetry={upload.error.kind === 'file' ? undefined : () => uploads.retry(upload.id)}
              actions={
                <Button size="small" onClick={() => uploads.dismiss(upload.id)}>
                  Dismiss
                </Button>
              }
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function Sending({ upload, onStop }: { upload: Upload; onStop: () => void }) {
  const { name, doneBytes, totalBytes } = upload;
  return (
    <div className={styles.upload}>
      <span className={styles.name}>{name}</span>
      <progress
        className={styles.bar}
        aria-label={`Uploading ${name}`}
        value={doneBytes}
        max={Math.max(1, totalBytes)}
      />
      <span className={styles.size}>
        {formatBytes(doneBytes)} of {formatBytes(totalBytes)}
      </span>
      <Button size="small" variant="quiet" aria-label={`Stop uploading ${name}`} onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}
