import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ConversationOptions } from '../../../shared/conversation.ts';
import type { AppError } from '../../../shared/errors.ts';

/** The top message in the log, and how many pixels of it are scrolled out of view. */
export type Place = { messageId: string; offset: number };

export type OptionEditor = 'tools' | 'schema';

type ChatStore = {
  /** Null means a new conversation. */
  selectedId: string | null;
  /** The ID of the conversation created by the last send. */
  createdId: string | null;
  listOpen: boolean;
  listWidth: number;
  /** Maps conversation IDs to scroll positions; a conversation scrolled to the end has no entry. */
  places: Record<string, Place>;
  /** Options shown while the main process saves them. */
  pendingOptions: { id: string; options: ConversationOptions } | null;
  editingId: string | null;
  editor: OptionEditor | null;
  sending: boolean;
  problem: AppError | null;
  /** Sends despite the daily cap; null if `problem` is another error. */
  runAnyway: (() => void) | null;
};

/** All widths are in pixels. */
export const listWidths = { least: 160, usual: 220, most: 420 };

export const useChat = create<ChatStore>()(
  persist(
    (): ChatStore => ({
      selectedId: null,
      createdId: null,
      listOpen: true,
      listWidth: listWidths.usual,
      places: {},
      pendingOptions: null,
      editingId: null,
      editor: null,
      sending: false,
      problem: null,
      runAnyway: null,
    }),
    {
      name: 'gatehouse:chat',
      partialize: ({ selectedId, listOpen, listWidth, places }) => ({
        selectedId,
        listOpen,
        listWidth,
        places,
      }),
    },
  ),
);

export function selectConversation(id: string | null): void {
  useChat.setState({
    selectedId: id,
    createdId: null,
    editingId: null,
    editor: null,
    problem: null,
  });
}

export function toggleList(): void {
  useChat.setState(({ listOpen }) => ({ listOpen: !listOpen }));
}

export function setListWidth(width: number): void {
  const { least, most } = listWidths;
  useChat.setState({ listWidth: Math.round(Math.min(most, Math.max(least, width))) });
}

export function editMessage(id: string | null): void {
  useChat.setState({ editingId: id });
}

export function openEditor(editor: OptionEditor | null): void {
  useChat.setState({ editor });
}

export function dismissProblem(): void {
  useChat.setState({ problem: null });
}

export function rememberPlace(conversationId: string, place: Place | null): void {
  useChat.setState(({ places }) => {
    const { [conversationId]: _old, ...others } = places;
    return { places: place === null ? others : { ...others, [conversationId]: place } };
  });
}
