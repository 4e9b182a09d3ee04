import { create } from 'zustand';

export const useConnectDialog = create<{ open: boolean }>(() => ({ open: false }));

/** Asks for a gateway's URL and key in a dialog, without leaving the panel. */
export function connectGateway(): void {
  useConnectDialog.setState({ open: true });
}

export function closeConnectDialog(): void {
  useConnectDialog.setState({ open: false });
}
