import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import type { OtherPrice, Price } from '../../../shared/prices.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useConnections } from '../../lib/connections.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useSettings, useUpdateSettings } from '../../lib/settings.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { CapDialog, DailyCapSummary } from './daily-cap.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { PriceTable } from './price-table.tsx';
import styles from './prices.module.css';

const undoKey = 'prices';

export function PricesSection() {
  const list = useQuery(orpc.prices.list.queryOptions());
  const { connections, selected } = useConnections();
  const [edited, setEdited] = useState<Price | 'new' | null>(null);
  const [replaced, setReplaced] = useState<OtherPrice | null>(null);
  const [search, setSearch] = useState('');
  const sought = useDeferredValue(search.trim().slice(0, 200));
  const others = useQuery(
    orpc.prices.others.queryOptions({
      input: { search: sought },
      placeholderData: keepPreviousData,
    }),
  );
  const [capped, setCapped] = useState<Connection | null>(null);
  const { dailyCaps, usesListPrices } = useSettings();
  const update = useUpdateSettings();
  // Start the key with the run list's key, so that new runs refetch the costs.
  const costs = useQuery({
    queryKey: [...orpc.runs.list.key(), 'today'],
    queryFn: () => api.prices.today(),
  });
  const [imported, setImported] = useState<number | null>(null);
  const change = useAttempt();
  const own = list.data ?? [];
  const prices = own.filter(({ model }) => matches(model, sought));
  const error = change.error ?? (list.error && toAppError(list.error));

  function getToday(id: string): number | null {
    if (costs.data === undefined) return null;
    return costs.data.find(({ connectionId }) => connectionId === id)?.dollars ?? 0;
  }

  function remove({ id, model }: Price) {
    void change.attempt(async () => {
      const { deletionId } = await api.prices.remove({ id });
      if (deletionId === null) return;
      offerUndo({
        message: `Price for ${model} deleted`,
        several: { words: '# prices deleted' },
        place: undoKey,
        undo: deletionId,
      });
    });
  }

  function importFile([file]: File[]) {
    if (file === undefined) return;
    setImported(null);
    void change.attempt(async () => {
      const { count } = await api.prices.import({ text: await file.text() });
      setImported(count);
    });
  }

  function exportAll() {
    void change.attempt(async () => {
      const table = JSON.stringify(await api.prices.export(), null, 2);
      saveBlob(new Blob([table], { type: 'application/json' }), 'gatehouse-prices.json');
    });
  }

  return (
    <>
      <p className={styles.intro}>
        Costs are estimated with the prices that your gateways list, unless you enter your own.
        Prices are in US dollars.
      </p>
      <ActionBar>
        <Button icon={<PlusIcon size={14} />} onClick={() => setEdited('new')}>
          Add price
        </Button>
        <FileButton
          busy={change.busy}
          inputLabel="Price table to import"
          accept="application/json,.json"
          onFiles={importFile}
        >
          Import
        </FileButton>
        <Button
          disabledReason={own.length === 0 ? 'No prices to export.' : null}
          onClick={exportAll}
        >
          Export
        </Button>
        <span role="status" className="caption">
          {imported !== null && `${pluralize(imported, 'price')} imported`}
        </span>
      </ActionBar>
      <div className="stack-4">
        <Switch
          label="Use list prices"
          checked={usesListPrices}
          onCheckedChange={(checked) => update.mutate({ usesListPrices: checked })}
        />
        {others.data !== undefined && (
          <span className="hint">
            {`For models without another price: public prices of ${others.data.listDate}. Your gateway may bill differently.`}
          </span>
        )}
      </div>
      {(others.data?.total ?? 0) > 0 && (
        <TextField
          label="Find a model"
          className={styles.search}
          type="search"
          value={search}
          placeholder={`Search ${pluralize(others.data?.total ?? 0, 'listed price')}`}
          onValueChange={setSearch}
        />
      )}
      <UndoBars place={undoKey} />
      {error !== null && <ErrorAlert error={error} compact />}
      {list.isPending ? (
        <Spinner label="Loading prices" />
      ) : prices.length + (others.data?.prices.length ?? 0) === 0 ? (
        <EmptyState title={sought === '' ? 'No prices yet' : 'No matching models'}>
          {sought === ''
            ? 'Add prices to see estimated costs for your runs.'
            : 'Add a price for the model instead.'}
        </EmptyState>
      ) : (
        <PriceTable
          prices={prices}
          others={others.data?.prices ?? []}
          connections={connections}
          renderCap={(connection) => (
            <DailyCapSummary
              connection={connection}
              cap={dailyCaps[connection.id] ?? null}
              today={getToday(connection.id)}
              onEdit={() => setCapped(connection)}
            />
          )}
          onEdit={setEdited}
          onDelete={remove}
          onReplace={setReplaced}
        />
      )}
      {capped !== null && <CapDialog connection={capped} onClose={() => setCapped(null)} />}
      {(edited !== null || replaced !== null) && (
        <PriceDialog
          price={edited === 'new' ? null : edited}
          replaced={replaced}
          prices={own}
          connections={connections}
          selectedId={selected?.id ?? null}
          onClose={() => {
            setEdited(null);
            setReplaced(null);
          }}
        />
      )}
    </>
  );
}

function matches(model: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => model.toLowerCase().includes(word));
}
