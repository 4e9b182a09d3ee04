import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import type { FormValues } from '../../../shared/form.ts';
import { describeOperation } from '../../../shared/operations/form/describe.ts';
import { FORMAT } from '../../../shared/operations/formats.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { SentInput } from '../../../shared/operations/write-request.ts';
import type { RunSummary } from '../../../shared/run.ts';
import { api, orpc } from '../../lib/api.ts';
import { selectConnection } from '../../lib/connections.ts';
import { queryClient } from '../../lib/query-client.ts';
import { navigate } from '../../lib/route.ts';
import { offerUndo } from '../../lib/undo.ts';
import { offerUndoSince } from './change-with-undo.ts';
import type { Form } from './form.ts';
import { panelForms } from './panel-forms.ts';
import { restoreParameters, setFormat } from './parameters.ts';
import { forgetPasted, replacePasted } from './pasted-notice.ts';

/** The input of a recorded run or of a pasted request, to open in its panel. */
interface OpenedInput extends SentInput {
  /** Null for a request that hasn't run. */
  runId: string | null;
  /** Null if no connection is known for the model. */
  connectionId: string | null;
  /** Empty if the request has none. */
  model: string;
  /** Offers Undo. */
  message: string;
  /** A sentence about something that wasn't restored; null if everything was. */
  notice: string | null;
}

interface Waiting extends Pick<OpenedInput, 'request' | 'runId' | 'message' | 'notice'> {
  /** The form's values before the input was opened. */
  before: FormValues<OperationName>;
  undoPasted: (() => void) | null;
}

/** Holds an input until its panel loads; its parameters and extra body are already restored. */
const useMailbox = create<Partial<Record<OperationName, Waiting>>>(() => ({}));

/** Calls `restore` to fill the panel's own fields, and offers Undo. */
export function useReopened(
  operation: OperationName,
  restore: (opened: Pick<SentInput, 'request'>) => void,
): void {
  const waiting = useMailbox((mailbox) => mailbox[operation]);
  const collect = useEffectEvent(() => {
    // In development, strict mode runs the effect twice.
    const current = useMailbox.getState()[operation];
    if (current === undefined) return;
    const { before, runId, message, notice, undoPasted } = current;
    useMailbox.setState({ [operation]: undefined });
    restore(current);
    const form: Form<OperationName> = panelForms[operation];
    // Always offer Undo for a pasted request, because only runs can be reopened from History.
    const isPasted = runId === null;
    const also = () => {
      forgetPasted(form);
      undoPasted?.();
    };
    offerUndoSince(form, before, message, {
      after: isPasted ? 'any change' : 'loss',
      also: isPasted || undoPasted !== null ? also : null,
    });
    if (notice !== null) offerUndo({ message: notice, place: form.id, undo: null });
  });
  useEffect(() => {
    if (waiting !== undefined) collect();
  }, [waiting]);
}

/** Opens a run in its panel, or opens the conversation of a chat run. */
export async function reopenRun({
  id,
  operation,
  conversationId,
}: Pick<RunSummary, 'id' | 'operation' | 'conversationId'>): Promise<void> {
  if (operation === 'chat' && conversationId !== null) {
    navigate('chat', conversationId);
    return;
  }
  const { view, ...input } = await api.runs.get({ id });
  const connections = await queryClient.ensureQueryData(orpc.connections.list.queryOptions());
  const hasConnection = connections.some(({ id }) => id === view.connectionId);
  if (hasConnection) await selectConnection(view.connectionId);
  const notice = hasConnection
    ? null
    : `Connection “${view.connectionName}” was deleted. The next run will use the selected connection.`;
  const { connectionId, model } = view;
  const message = 'Input replaced by the opened run';
  await openInput(operation, { ...input, runId: id, connectionId, model, message, notice });
}

/** Fills the form of any panel but Chat, whose messages belong to a conversation. */
export async function openInput(operation: OperationName, opened: OpenedInput): Promise<void> {
  const form: Form<OperationName> = panelForms[operation];
  // Fields can be unset only after they have loaded.
  await form.retry();
  const before = form.state.getState().values;
  const { request, connectionId, model, runId, message, notice } = opened;
  const undoPasted = replacePasted(form);
  restoreParameters(form, describeOperation(operation), opened);
  const format = request[FORMAT];
  setFormat(form, typeof format === 'string' ? format : '');
  form.change({
    runId,
    ...(model !== '' && connectionId !== null && { models: { [connectionId]: model } }),
  });
  useMailbox.setState({
    [operation]: { request, runId, before, message, notice, undoPasted },
  });
  navigate(operation);
}
