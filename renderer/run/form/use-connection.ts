import type { Connection } from '../../../shared/connection.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { useConnections } from '../../lib/connections.ts';
import type { Form } from './form.ts';
import { useForm } from './use-form.ts';

/** What the form runs against: its own connection, or else the one in use, also where its own was deleted. */
export function useConnection(form: Form<OperationName>): Connection | null {
  const { connections, selected } = useConnections();
  const ownId = useForm(form, ({ connectionId }) => connectionId);
  return connections.find(({ id }) => id === ownId) ?? selected;
}
