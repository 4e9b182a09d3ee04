import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConsoleInput } from '../../../shared/operations/console/request.ts';
import type { SavedRequest } from '../../../shared/saved-items.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { offerUndoOfReplacement } from '../../run/form/change-with-undo.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { TextField } from '../../ui/text-field.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './console.module.css';
import { consoleForm, openRequest } from './console-form.ts';
import { type ConsolePreset, getExpectation } from './console-presets.ts';

interface SavedRequestsProps {
  draft: ConsoleInput;
  presets: readonly ConsolePreset[];
}

export function SavedRequests({ draft, presets }: SavedRequestsProps) {
  const list = useQuery(orpc.savedRequests.list.queryOptions());
  const removal = useAttempt();
  const [naming, setNaming] = useState(false);
  const saved = list.data ?? none;
  const error = removal.error ?? (list.error && toAppError(list.error));
  const roving = useRovingList({
    keys: saved.map(({ id }) => id),
    currentKey: null,
    getItemText: (index) => saved[index]?.name ?? '',
  });
  const kept = [...saved, ...presets].map(({ request }) => request);

  function remove({ id, name }: SavedRequest) {
    void removal.attempt(async () => {
      const { deletionId } = await api.savedRequests.remove({ id });
      if (deletionId === null) return;
      offerUndo({
        message: `“${name}” deleted`,
        several: { words: '# requests deleted' },
        place: consoleForm.id,
        undo: deletionId,
      });
    });
  }

  return (
    <section className="stack-4 fixed" aria-label="Saved requests">
      <div className={styles.head}>
        <h2 className="heading grow">Saved requests</h2>
        <Menu
          label="Examples"
          trigger="Examples"
          size="small"
          items={presets.map(({ title, request }) => ({
            id: title,
            label: `${title} · ${request.method} ${request.path}`,
            onSelect: () => openRequest(request, kept),
          }))}
        />
        <Button size="small" variant="quiet" onClick={() => setNaming(true)}>
          Save request
        </Button>
      </div>
      <UndoBars place={consoleForm.id} />
      {error !== null && <ErrorAlert compact error={error} />}
      <ul className={styles.list} {...roving.listProps}>
        {saved.map((one, index) => (
          <li key={one.id} data-row={one.id} className={styles.item}>
            <button
              type="button"
              tabIndex={roving.getTabIndex(index)}
              className={classNames(styles.open, 'bare')}
              onClick={() => openRequest(one.request, kept)}
            >
              <span className={classNames(styles.name, 'truncate fixed')}>{one.name}</span>{' '}
              <span className={classNames(styles.savedTarget, 'truncate mono grow')}>
                {one.request.method} {one.request.path}
              </span>{' '}
              <span className="hint fixed">{getExpectation(one.request)}</span>
            </button>
            <IconButton
              size="small"
              label={`Delete ${one.name}`}
              tabIndex={-1}
              icon={<TrashIcon size={14} />}
              onClick={() => remove(one)}
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
  const [name, setName] = useState(`${draft.method} ${draft.path}`.slice(0, MAX_NAME));
  const trimmed = name.trim();
  const existing = saved.find((one) => one.name === trimmed);

  async function save() {
    await saving.attempt(async () => {
      const { request } = await api.savedRequests.save({ name: trimmed, request: draft });
      onClose();
      if (existing === undefined) return;
      offerUndoOfReplacement(`“${trimmed}” replaced`, {
        before: existing.request,
        after: request,
        read: async () => {
          const all = await api.savedRequests.list();
          return all.find((one) => one.name === trimmed)?.request ?? null;
        },
        write: (value) => api.savedRequests.save({ name: trimmed, request: value }),
        place: consoleForm.id,
      });
    });
  }

  return (
    <FormDialog
      title="Save request"
      size="small"
      saveLabel={existing === undefined ? 'Save' : 'Replace'}
      disabledReason={trimmed === '' ? 'Enter a name.' : null}
      busy={saving.busy}
      error={saving.error}
      onSave={() => void save()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValueChange={setName}
        maxLength={MAX_NAME}
        help={
          existing === undefined
            ? undefined
            : 'A request with this name exists. It will be replaced.'
        }
      />
    </FormDialog>
  );
}

const MAX_NAME = 80;
