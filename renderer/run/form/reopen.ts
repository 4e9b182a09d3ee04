import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import type { FormValues } from '../../../shared/form.ts';
import { describeOperation } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunInput, RunSummary } from '../../../shared/run.ts';
import { api, orpc } from '../../lib/api.ts';
import { selectConnection } from '../../lib/connections.ts';
import { queryClient } from '../../lib/query-client.ts';
import { navigate } from '../../lib/route.ts';
import { offerUndo } from '../../lib/undo.ts';
import { offerUndoSince } from './change-with-undo.ts';
import type { Form } from './form.ts';
import { panelForms } from './panel-forms.ts';
import { restoreParameters } from './parameters.ts';

/** A recorded run to open in a panel, after its parameters and extra body have been restored. */
export interface ReopenedRun extends RunInput {
  runId: string;
}

interface Waiting {
  run: ReopenedRun;
  /** The form's values before the run was opened. */
  before: FormValues<OperationName>;
  /** The name of a missing connection; null if everything was restored. */
  notice: string | null;
}

/** Holds a run until its panel loads. */
const useMailbox = create<Partial<Record<OperationName, Waiting>>>(() => ({}));

/** Calls `restore` to fill the panel's own fields, and offers Undo. */
export function useReopened(operation: OperationName, restore: (run: ReopenedRun) => void): void {
  const waiting = useMailbox((mailbox) => mailbox[operation]);
  const collect = useEffectEvent(() => {
    // In development, strict mode runs the effect twice.
    const current = useMailbox.getState()[operation];
    if (current === undefined) return;
    const { run, before, notice } = current;
    useMailbox.setState({ [operation]: undefined });
    restore(run);
    const form: Form<OperationName> = panelForms[operation];
    offerUndoSince(form, before, 'Input replaced by the opened run');
    if (notice !== null) offerUndo({ message: notice, place: form.id, undo: null });
  });
  useEffect(() => {
    if (waiting !== undefined) collect();
  }, [waiting]);
}

/** Opens a run in its panel, or opens the conversation of a chat run. */
export async function reopenRun({ id, operation, conversationId }: RunSummary): Promise<void> {
  if (operation === 'chat' && conversationId !== null) {
    navigate('chat', conversationId);
    return;
  }
  const { view, ...input } = await api.runs.get({ id });
  const connections = await queryClient.ensureQueryData(orpc.connections.list.queryOptions());
  const hasConnection = connections.some(({ id }) => id === view.connectionId);
  if (hasConnection) await selectConnection(view.connectionId);
  const form: Form<OperationName> = panelForms[operation];
  // Fields can be unset only after they have loaded.
  await form.retry();
  const before = form.state.getState().values;
  restoreParameters(form, describeOperation(operation), input);
  form.change({
    runId: id,
    ...(view.model !== '' && { models: { [view.connectionId]: view.model } }),
  });
  const notice = hasConnection
    ? null
    : `Connection “${view.connectionName}” was deleted. The next run uses the selected connection.`;
  useMailbox.setState({ [operation]: { run: { runId: id, ...input }, before, notice } });
  navigate(operation);
}
