/** A connection that was just added leads to a first answer: the panel that is shown next begins with it. */
import { useEffect, useRef } from 'react';
import { create } from 'zustand';

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
