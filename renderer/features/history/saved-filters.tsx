import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedRunFilter } from '../../../shared/saved-run-filter.ts';
import { api, orpc } from '../../lib/api.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { removeItem, SaveItemDialog } from '../../run/form/save-item.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ChevronDownIcon } from '../../ui/icons/status.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { hasActiveFilter, undoKey, useHistory } from './history-store.ts';

const none: readonly SavedRunFilter[] = [];

/** Renders a menu that applies, saves and deletes filters and their sort order. */
export function SavedFilters() {
  const list = useQuery(orpc.saved.filters.list.queryOptions());
  const saved = list.data ?? none;
  const filter = useHistory((state) => state.filter);
  const sort = useHistory((state) => state.sort);
  const removing = useAttempt();
  const [isSaving, setSaving] = useState(false);
  const { narrow, sortBy } = useHistory.getState();
  const isSame = (one: SavedRunFilter) =>
    JSON.stringify([one.filter, one.sort]) === JSON.stringify([filter, sort]);
  const current = saved.find(isSame);
  const items: MenuEntry[] = [
    ...saved.map((one) => ({
      id: one.id,
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
              void removing.attempt(() =>
                removeItem(current, { place: undoKey, words: '# filters deleted' }),
              ),
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
      {removing.error !== null && <ErrorAlert compact error={removing.error} />}
      {isSaving && (
        <SaveItemDialog
          what="filter"
          items={api.saved.filters}
          saved={saved}
          createItem={(name) => ({ name, filter, sort })}
          place={undoKey}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}
