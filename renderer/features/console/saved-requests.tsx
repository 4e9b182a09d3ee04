import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConsoleInput } from '../../../shared/operations/console/input.ts';
import type { SavedRequest } from '../../../shared/saved-request.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { openRequest } from './console-store.ts';
import styles from './saved-requests.module.css';

/** Requests under a name; a click puts one into the form. */
export function SavedRequests({ draft }: { draft: ConsoleInput }) {
  const list = useQuery(orpc.savedRequests.list.queryOptions());
  const removal = useAttempt();
  const [naming, setNaming] = useState(false);
  const saved = list.data ?? none;
  const error = removal.error ?? (list.error && toAppError(list.error));
  return (
    <section className={styles.saved} aria-label="Saved requests">
      <div className={styles.head}>
        <h2 className={styles.title}>Saved requests</h2>
        <Button size="small" variant="quiet" onClick={() => setNaming(true)}>
          Save this request
        </Button>
      </div>
      {error !== null && <ErrorAlert compact error={error} />}
      <ul className={styles.list}>
        {saved.map(({ id, name, request }) => (
          <li key={id} className={styles.item}>
            <button type="button" className={styles.open} onClick={() => openRequest(request)}>
              <span className={styles.name}>{name}</span>{' '}
              <span className={styles.target}>
                {request.method} {request.path}
              </span>
            </button>
            <IconButton
              size="small"
              label={`Delete ${name}`}
              icon={<TrashIcon size={14} />}
              onClick={() => void removal.attempt(() => api.savedRequests.remove({ id }))}
            />
          </li>
        ))}
      </ul>
      {naming && <NameDialog draft={draft} saved={saved} onClose={() => setNaming(false)} />}
    </section>
  );
}

const none: readonly SavedRequest[] = [];

interface NameDialogProps {
  draft: ConsoleInput;
  saved: readonly SavedRequest[];
  onClose: () => void;
}

function NameDialog({ draft, saved, onClose }: NameDialogProps) {
  const saving = useAttempt();
  const [name, setName] = useState(`${draft.method} ${draft.path}`.slice(0, LONGEST_NAME));
  const trimmed = name.trim();
  const taken = saved.some((request) => request.name === trimmed);

  async function save() {
    if (trimmed === '' || saving.busy) return;
    const isSaved = await saving.attempt(() =>
      api.savedRequests.save({ name: trimmed, request: draft }),
    );
    if (isSaved) onClose();
  }

  return (
    <Dialog
      open
      title="Save this request"
      size="small"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={saving.busy}
            disabledReason={trimmed === '' ? 'Enter a name.' : null}
            onClick={() => void save()}
          >
            {taken ? 'Replace' : 'Save'}
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={name}
        onValueChange={setName}
        maxLength={LONGEST_NAME}
        help={taken ? 'A request with this name exists. It will be replaced.' : undefined}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          void save();
        }}
      />
      {saving.error !== null && <ErrorAlert compact error={saving.error} />}
    </Dialog>
  );
}

const LONGEST_NAME = 80;
