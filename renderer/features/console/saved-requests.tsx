import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useConsole } from './console-store.ts';
import styles from './saved-requests.module.css';

/** Requests under a name; a click puts one into the form. */
export function SavedRequests() {
  const saved = useConsole((state) => state.saved);
  const { openDraft, removeSaved } = useConsole.getState();
  const [naming, setNaming] = useState(false);
  return (
    <section className={styles.saved} aria-label="Saved requests">
      <div className={styles.head}>
        <h2 className={styles.title}>Saved requests</h2>
        <Button size="small" variant="quiet" onClick={() => setNaming(true)}>
          Save this request
        </Button>
      </div>
      <ul className={styles.list}>
        {saved.map(({ id, name, draft }) => (
          <li key={id} className={styles.item}>
            <button type="button" className={styles.open} onClick={() => openDraft(draft)}>
              <span className={styles.name}>{name}</span>{' '}
              <span className={styles.target}>
                {draft.method} {draft.path}
              </span>
            </button>
            <IconButton
              size="small"
              label={`Delete ${name}`}
              icon={<TrashIcon size={14} />}
              onClick={() => removeSaved(id)}
            />
          </li>
        ))}
      </ul>
      {naming && <NameDialog onClose={() => setNaming(false)} />}
    </section>
  );
}

function NameDialog({ onClose }: { onClose: () => void }) {
  const { method, path } = useConsole((state) => state.draft);
  const [name, setName] = useState(`${method} ${path}`);
  const trimmed = name.trim();
  const taken = useConsole((state) => state.saved.some((request) => request.name === trimmed));

  function save() {
    if (trimmed === '') return;
    useConsole.getState().save(trimmed);
    onClose();
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
            disabledReason={trimmed === '' ? 'Give it a name.' : null}
            onClick={save}
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
        maxLength={80}
        help={taken ? 'A request of this name is there; it will be replaced.' : undefined}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          save();
        }}
      />
    </Dialog>
  );
}
