import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import type { Connection, KeyKeeping } from '../../shared/connection.ts';
import type { AppError } from '../../shared/errors.ts';
import type { RemovedKey } from '../../shared/pasted/take-secrets.ts';
import type { HeaderList } from '../../shared/run.ts';
import { api, orpc } from './api.ts';
import { toAppError } from './app-error.ts';
import { queryClient } from './query-client.ts';

export interface ConnectionList {
  connections: readonly Connection[];
  /** Returns the selected connection, or else the environment's, or else the first one. */
  selected: Connection | null;
  isPending: boolean;
  error: AppError | null;
}

const none: readonly Connection[] = [];

export function useConnections(): ConnectionList {
  const list = useQuery(orpc.connections.list.queryOptions());
  const settings = useQuery(orpc.settings.get.queryOptions());
  const connections = list.data ?? none;
  const error = list.error ?? settings.error;
  return {
    connections,
    selected: getSelected(connections, settings.data?.selectedConnectionId ?? null),
    isPending: list.isPending || settings.isPending,
    error: error === null ? null : toAppError(error),
  };
}

export async function selectConnection(id: string): Promise<void> {
  const settings = await api.settings.update({ selectedConnectionId: id });
  queryClient.setQueryData(orpc.settings.get.queryKey(), settings);
}

/** Selects the latest run's connection, unless it's already selected. */
export function selectLatest(id: string): void {
  const connections = queryClient.getQueryData(orpc.connections.list.queryKey()) ?? none;
  const settings = queryClient.getQueryData(orpc.settings.get.queryKey());
  if (getSelected(connections, settings?.selectedConnectionId ?? null)?.id === id) return;
  // The run has already started, so a failure here must not interrupt it.
  selectConnection(id).catch(() => undefined);
}

export function getSelected(
  connections: readonly Connection[],
  chosenId: string | null,
): Connection | null {
  return (
    connections.find(({ id }) => id === chosenId) ??
    connections.find(({ kind }) => kind === 'environment') ??
    connections[0] ??
    null
  );
}

export const keepingLabels: Record<KeyKeeping, string> = {
  keyring: 'Encrypted by the system keyring',
  session: 'For this session only',
  file: 'Unencrypted, in a file only your user account can read',
};

/** The part of a connection that a failed run asks the user to edit. */
export type ConnectionPart = 'key' | 'values';

/** The URL, key and headers of a pasted request, which prefill the dialog. */
export interface ConnectionStart {
  url: string | null;
  key: RemovedKey | null;
  headers: HeaderList;
  onSaved: (connectionId: string) => void;
}

interface ConnectDialog {
  open: boolean;
  /** Null adds a connection. */
  connectionId: string | null;
  part: ConnectionPart | null;
  /** Kept in memory only, because it may have a key; null if nothing was pasted. */
  start: ConnectionStart | null;
}

const closed: ConnectDialog = { open: false, connectionId: null, part: null, start: null };

export const useConnectDialog = create<ConnectDialog>(() => closed);

/** Opens a dialog for a gateway's URL and key without leaving the panel. */
export function connectGateway(): void {
  useConnectDialog.setState({ ...closed, open: true });
}

/** Opens a connection's dialog at the part that a run needs. */
export function editConnection(connectionId: string, part: ConnectionPart): void {
  useConnectDialog.setState({ ...closed, open: true, connectionId, part });
}

/** Opens the dialog of a new or known connection, with the pasted URL and key filled in. */
export function connectPasted(connectionId: string | null, start: ConnectionStart): void {
  useConnectDialog.setState({
    open: true,
    connectionId,
    part: connectionId === null ? null : 'key',
    start,
  });
}

export function closeConnectDialog(): void {
  useConnectDialog.setState(closed);
}
