import type { Connection } from '../../../shared/connection.ts';
import { conversationOfForm } from '../../../shared/form-fields.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectConnection, useConnections } from '../../lib/connections.ts';
import { showToast } from '../../ui/show-toast.ts';
import type { Form } from './form.ts';
import { useForm } from './use-form.ts';

/** What the form runs against: its own connection, or else the one in use, also where its own was deleted. */
export function useConnection(form: Form<OperationName>): Connection | null {
  const { connections, selected } = useConnections();
  const ownId = useForm(form, ({ connectionId }) => connectionId);
  return connections.find(({ id }) => id === ownId) ?? selected;
}

/** Puts the connection to use; a conversation keeps it, whatever is used elsewhere later. */
export function chooseConnection(form: Form<OperationName>, id: string): void {
  if (conversationOfForm(form.id) !== null) form.change({ connectionId: id });
  selectConnection(id).catch((error: unknown) =>
    showToast({ message: toAppError(error).message, tone: 'danger' }),
  );
}
