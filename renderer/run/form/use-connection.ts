import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { Connection } from '../../../shared/connection.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { toAppError } from '../../lib/app-error.ts';
import { selectConnection, useConnections } from '../../lib/connections.ts';
import { showToast } from '../../ui/show-toast.ts';
import type { Form } from './form.ts';
import { useForm } from './use-form.ts';

interface FormConnection {
  /** Null until it is known, and where there is none. */
  connection: Connection | null;
  isPending: boolean;
  /** The form has its own connection, which no longer exists. */
  isGone: boolean;
}

/** What the form runs against: its own connection, or else the one in use; never another in place of its own. */
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

/** Puts the connection to use; a conversation keeps it, whatever is used elsewhere later, a variant alone has it. */
export function chooseConnection(form: Form<OperationName>, id: string): void {
  if (form.choosesConnection !== 'of every panel') form.change({ connectionId: id });
  if (form.choosesConnection === 'of its own') return;
  selectConnection(id).catch((error: unknown) =>
    showToast({ message: toAppError(error).message, tone: 'danger' }),
  );
}

interface Added {
  /** Whose model the user is to choose, where none can be chosen for them. */
  modelOf: string | null;
  /** A conversation that was open keeps its own connection: another one is to begin. */
  beginsChat: boolean;
}

export const useAddedConnection = create<Added>(() => ({ modelOf: null, beginsChat: false }));

export function announceAdded(connectionId: string): void {
  useAddedConnection.setState({ modelOf: connectionId, beginsChat: true });
}

/** Chat shows a new conversation; also where the connection was added before Chat was opened. */
export function useBeginChat(begin: () => void): void {
  const beginsChat = useAddedConnection((added) => added.beginsChat);
  const newest = useRef(begin);
  useEffect(() => {
    newest.current = begin;
  });
  useEffect(() => {
    if (!beginsChat) return;
    useAddedConnection.setState({ beginsChat: false });
    newest.current();
  }, [beginsChat]);
}
