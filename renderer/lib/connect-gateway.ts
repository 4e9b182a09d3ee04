import { create } from 'zustand';

/** Whether the dialog that adds a connection is open over the panel. */
export const useConnectDialog = create<{ open: boolean }>(() => ({ open: false }));

/** Asks for a gateway's address and key where the user is, without leaving the panel. */
export function connectGateway(): void {
  useConnectDialog.setState({ open: true });
}

export function closeConnectDialog(): void {
  useConnectDialog.setState({ open: false });
}
