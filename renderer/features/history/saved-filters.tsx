import { useState } from 'react';
import { type SavedRunFilter, savedRunFilterSchema } from '../../../shared/saved-run-filter.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ChevronDownIcon } from '../../ui/icons/status.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { hasActiveFilter, useHistory } from './history-store.ts';

/** A menu that applies, saves and deletes filters with their order. */
export function SavedFilters() {
  const { savedRunFilters: saved } = useSettings();
  const filter = useHistory((state) => state.filter);
  const sort = useHistory((state) => state.sort);
  const update = useUpdateSettings();
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
            onSelect: () =>
              update.mutate({ savedRunFilters: saved.filter((one) => one !== current) }),
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
      {isSaving && <SaveDialog saved={saved} onClose={() => setSaving(false)} />}
    </>
  );
}

interface SaveDialogProps {
  saved: readonly SavedRunFilter[];
  onClose: () => void;
}

function SaveDialog({ saved, onClose }: SaveDialogProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const update = useUpdateSettings();
  const { filter, sort } = useHistory.getState();

  function save() {
    const parsed = savedRunFilterSchema.safeParse({ name, filter, sort });
    if (!parsed.success) {
      setProblem(parsed.error.issues[0]?.message ?? 'Enter a name.');
      return;
    }
    const isTaken = saved.some((one) => one.name === parsed.data.name);
    if (isTaken) {
      setProblem('A filter with this name exists.');
      return;
    }
    const all = [...saved, parsed.data].toSorted((a, b) => a.name.localeCompare(b.name));
    update.mutate({ savedRunFilters: all }, { onSuccess: onClose });
  }

  return (
    <FormDialog
      title="Save filter"
      size="small"
      isChanged={name !== ''}
      busy={update.isPending}
      error={update.error === null ? null : toAppError(update.error)}
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
