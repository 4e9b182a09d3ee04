import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type SavedRunFilter, savedRunFilterSchema } from '../../../shared/saved-run-filter.ts';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { fieldMessage, getFields } from '../../lib/field-errors.ts';
import { setSettings, useSettings } from '../../lib/settings.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ChevronDownIcon } from '../../ui/icons/status.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { hasActiveFilter, useHistory } from './history-store.ts';

/** Renders a menu that applies, saves and deletes filters and their sort order. */
export function SavedFilters() {
  const { savedRunFilters: saved } = useSettings();
  const filter = useHistory((state) => state.filter);
  const sort = useHistory((state) => state.sort);
  const remove = useMutation(
    orpc.settings.deleteRunFilter.mutationOptions({ onSuccess: setSettings }),
  );
  const [isSaving, setSaving] = useState(false);
  const { narrow, sortBy } = useHistory.getState();
  const isSame = (one: SavedRunFilter) =>
    JSON.stringify([one.filter, one.sort]) === JSON.stringify([filter, sort]);
  const current = saved.find(isSame);
  const items: MenuEntry[] = [
    ...saved.map((one) => ({
      id: one.name,
      label: one.name,
      onSelect() {
        narrow(one.filter);
        sortBy(one.sort);
      },
    })),
    ...(saved.length > 0 ? (['separator'] as const) : []),
    {
      id: 'save',
      label: 'Save filter…',
      disabled: current !== undefined || (!hasActiveFilter(filter) && sort.by === 'time'),
      onSelect: () => setSaving(true),
    },
    ...(current === undefined
      ? []
      : [
          {
            id: 'delete',
            label: `Delete “${current.name}”`,
            danger: true,
            onSelect: () => remove.mutate({ name: current.name }),
          },
        ]),
  ];
  return (
    <>
      <Menu
        label={current === undefined ? 'Saved filters' : `Saved filters: ${current.name}`}
        items={items}
        trigger={
          <>
            <span className="truncate">{current?.name ?? 'Saved filters'}</span>
            <ChevronDownIcon size={12} />
          </>
        }
      />
      {isSaving && <SaveDialog onClose={() => setSaving(false)} />}
    </>
  );
}

interface SaveDialogProps {
  onClose: () => void;
}

function SaveDialog({ onClose }: SaveDialogProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const saving = useMutation(
    orpc.settings.saveRunFilter.mutationOptions({ onSuccess: setSettings }),
  );
  const { filter, sort } = useHistory.getState();

  function save() {
    const parsed = savedRunFilterSchema.safeParse({ name, filter, sort });
    if (!parsed.success) {
      setProblem(parsed.error.issues[0]?.message ?? 'Enter a name.');
      return;
    }
    saving.mutate(parsed.data, {
      onSuccess: onClose,
      onError: (cause) => setProblem(fieldMessage(getFields(toAppError(cause)), 'name')),
    });
  }

  return (
    <FormDialog
      title="Save filter"
      size="small"
      isChanged={name !== ''}
      busy={saving.isPending}
      error={saving.error === null ? null : toAppError(saving.error)}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={80}
        error={problem}
        onValueChange={(text) => {
          setName(text);
          setProblem(null);
        }}
      />
    </FormDialog>
  );
}
