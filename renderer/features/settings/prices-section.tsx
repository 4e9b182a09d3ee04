import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import type { Price } from '../../../shared/prices.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useConnections } from '../../lib/connections.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useSettings } from '../../lib/settings.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { PlusIcon } from '../../ui/icons/actions.tsx';
import { Spinner } from '../../ui/spinner.tsx';
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
  const [capped, setCapped] = useState<Connection | null>(null);
  const { dailyCaps } = useSettings();
  // Start the key with the run list's key, so that new runs refetch the costs.
  const costs = useQuery({
    queryKey: [...orpc.runs.list.key(), 'today'],
    queryFn: () => api.prices.today(),
  });
  const [imported, setImported] = useState<number | null>(null);
  const change = useAttempt();
  const prices = list.data ?? [];
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
        Enter what your models cost to see an estimate for each run. Prices are in US dollars.
      </p>
      <div className="wrap-8">
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
          disabledReason={prices.length === 0 ? 'No prices to export.' : null}
          onClick={exportAll}
        >
          Export
        </Button>
        <span role="status" className="caption">
          {imported !== null && `${pluralize(imported, 'price')} imported`}
        </span>
      </div>
      <UndoBars place={undoKey} />
      {error !== null && <ErrorAlert error={error} compact />}
      {list.isPending ? (
        <Spinner label="Loading prices" />
      ) : prices.length === 0 ? (
        <EmptyState title="No prices yet">
          Add prices to see estimated costs for your runs.
        </EmptyState>
      ) : (
        <PriceTable
          prices={prices}
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
        />
      )}
      {capped !== null && <CapDialog connection={capped} onClose={() => setCapped(null)} />}
      {edited !== null && (
        <PriceDialog
          price={edited === 'new' ? null : edited}
          prices={prices}
          connections={connections}
          selectedId={selected?.id ?? null}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
