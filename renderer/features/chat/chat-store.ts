/** What the chat panel knows by itself: what is selected, edited and on its way to main. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ConversationOptions } from '../../../shared/conversation-options.ts';
import type { AppError } from '../../../shared/errors.ts';

/** The message at the top of the log and how far it is scrolled out of it. */
export type Place = { messageId: string; offset: number };

export type OptionEditor = 'tools' | 'schema';

type ChatStore = {
  /** Null: a conversation that begins with the next message. */
  selectedId: string | null;
  /** Just created by sending: its form continues that of the new conversation. */
  createdId: string | null;
  listOpen: boolean;
  /** Pixels. */
  listWidth: number;
  /** The scroll position per conversation; none at the end. */
  places: Record<string, Place>;
  /** Options on their way to main: shown at once. */
  pendingOptions: { id: string; options: ConversationOptions } | null;
  editingId: string | null;
  /** The dialog over the panel that edits what goes along with the messages. */
  editor: OptionEditor | null;
  sending: boolean;
  problem: AppError | null;
  /** Sends in spite of a daily cap; null if `problem` is another. */
  runAnyway: (() => void) | null;
};

/** Of the list of conversations, in pixels. */
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
