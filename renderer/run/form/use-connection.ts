import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import type { Connection } from '../../../shared/connection.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectConnection, useConnections } from '../../lib/connections.ts';
import { showToast } from '../../ui/show-toast.ts';
import type { Form } from './form.ts';
import { useForm } from './use-form.ts';

interface FormConnection {
  /** Null while loading, or if there are no connections. */
  connection: Connection | null;
  isPending: boolean;
  /** True if the form had its own connection and it was deleted. */
  isGone: boolean;
}

/** Returns the form's own connection, or else the selected one. */
export function useFormConnection(form: Form<OperationName>): FormConnection {
  const { connections, selected, isPending, error } = useConnections();
  const ownId = useForm(form, ({ connectionId }) => connectionId);
  const own = connections.find(({ id }) => id === ownId) ?? null;
  return {
    connection: ownId === null ? selected : own,
    isPending,
    isGone: ownId !== null && own === null && !isPending && error === null,
  };
}

export function useConnection(form: Form<OperationName>): Connection | null {
  return useFormConnection(form).connection;
}

/** Selects the connection for all panels; a conversation also stores it, a variant only stores it. */
export function chooseConnection(form: Form<OperationName>, id: string): void {
  if (form.choosesConnection !== 'of every panel') form.change({ connectionId: id });
  if (form.choosesConnection === 'of its own') return;
  selectConnection(id).catch((error: unknown) =>
    showToast({ message: toAppError(error).message, tone: 'danger' }),
  );
}

interface Added {
  /** The newly added connection, while the user still has to choose its model. */
  modelOf: string | null;
  /** If true, Chat starts a new conversation, because an open one keeps its connection. */
  beginsChat: boolean;
}

export const useAddedConnection = create<Added>(() => ({ modelOf: null, beginsChat: false }));

export function announceAdded(connectionId: string): void {
  useAddedConnection.setState({ modelOf: connectionId, beginsChat: true });
}

/** Starts a new conversation, even if the connection was added before Chat was opened. */
export function useBeginChat(begin: () => void): void {
  const beginsChat = useAddedConnection((added) => added.beginsChat);
  const beginOnce = useEffectEvent(begin);
  useEffect(() => {
    if (!beginsChat) return;
    useAddedConnection.setState({ beginsChat: false });
    beginOnce();
  }, [beginsChat]);
}
