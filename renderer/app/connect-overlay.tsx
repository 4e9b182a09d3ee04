import type { Connection } from '../../shared/connection.ts';
import { orpc } from '../lib/api.ts';
import { closeConnectDialog, useConnectDialog, useConnections } from '../lib/connections.ts';
import { isOperation } from '../lib/panels.ts';
import { queryClient } from '../lib/query-client.ts';
import { getCurrentRoute } from '../lib/route.ts';
import { announceAdded } from '../run/form/use-connection.ts';
import { lazyDialog } from '../ui/lazy-component.tsx';
import { showToast } from '../ui/show-toast.ts';

const ConnectionDialog = lazyDialog(
  'Connection',
  async () => (await import('../features/settings/connection-dialog.tsx')).ConnectionDialog,
);

/** Adds or edits a connection on top of any panel. */
export function ConnectOverlay() {
  const { open, connectionId, part, start } = useConnectDialog();
  const { connections } = useConnections();
  const connection = connections.find(({ id }) => id === connectionId) ?? null;
  if (!open || (connectionId !== null && connection === null)) return null;
  return (
    <ConnectionDialog
      connection={connection}
      part={part}
      start={start}
      onSaved={async ({ connection: saved, isSelected }) => {
        if (connection !== null) {
          start?.onSaved(connection.id);
          return;
        }
        if (!isSelected) return reportUnselected(saved);
        await loadModels(saved.id);
        start?.onSaved(saved.id);
        // The dialog restores focus first, so wait for the frame after it.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => focusNextStep(start === null ? saved.id : null)),
        );
      }}
      onClose={closeConnectDialog}
    />
  );
}

function reportUnselected({ name }: Connection): void {
  showToast({ message: `Saved ${name}. It isn’t selected, because its test failed.` });
}

/** Loads the models, so that one is selected before the panel appears. */
async function loadModels(connectionId: string): Promise<void> {
  const { panel } = getCurrentRoute();
  if (!isOperation(panel)) return;
  const input = { connectionId, operation: panel };
  // The model picker reports failures.
  await queryClient.fetchQuery(orpc.models.suggest.queryOptions({ input })).catch(() => undefined);
}

/**
 * Focuses the panel's text field, or the model picker if no model is selected yet. Null keeps the
 * conversation into which a request was pasted.
 */
function focusNextStep(connectionId: string | null): void {
  const field =
    document.querySelector<HTMLElement>('main textarea[data-run-control]') ??
    document.querySelector<HTMLElement>('main textarea');
  field?.focus();
  if (connectionId !== null) announceAdded(connectionId);
}
