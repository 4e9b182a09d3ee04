import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ConversationOptions, ConversationSummary } from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';

/** The top message in the log, and how many pixels of it are scrolled out of view. */
export type Place = { messageId: string; offset: number };

export type OptionEditor = 'tools' | 'schema';

/** Asks for the name of a new folder for conversations, or of an existing one. */
export type FolderDialog = { ids: readonly string[] } | { folder: string };

/** A new object for each attempt to send without all tool results. */
export interface MissingResults {
  /** The end of the branch that calls the tools. */
  answerId: string | null;
}

type ChatStore = {
  /** Null means a new conversation. */
  selectedId: string | null;
  /** The ID of the conversation created by the last send. */
  createdId: string | null;
  /** Keys the view, which stays the same when the first message creates the conversation. */
  visit: number;
  /** Null until the user toggles the list, or there is a conversation to list. */
  listOpen: boolean | null;
  listWidth: number;
  /** Whether the sidebar shows the conversation's tools, response format and so on. */
  optionsOpen: boolean;
  closedFolders: readonly string[];
  archivedOpen: boolean;
  /** The checked conversations; null unless the user is selecting several. */
  checkedIds: readonly string[] | null;
  renamingId: string | null;
  folderDialog: FolderDialog | null;
  /** The work in progress, such as an import, and why the last work failed. */
  listWork: string | null;
  listProblem: AppError | null;
  /** Stops the work in progress; null if it can't be stopped. */
  stopListWork: (() => void) | null;
  /** Maps conversation IDs to scroll positions; a conversation scrolled to the end has no entry. */
  places: Record<string, Place>;
  /** Maps each conversation whose failure was seen to its number of messages at the time. */
  seenFailures: Record<string, number>;
  /** Options shown while the main process saves them. */
  pendingOptions: { id: string; options: ConversationOptions } | null;
  /** Counts the system messages that were replaced from outside their text field. */
  systemMessageEdition: number;
  editingId: string | null;
  editor: OptionEditor | null;
  /** Counts how often the search of the conversation was opened; 0 means that it's closed. */
  findOpened: number;
  /** The choice that the search found last, which is shown if choices are tabs. */
  foundChoiceId: string | null;
  /** The IDs of the answers that show their Markdown source. */
  sources: readonly string[];
  /** The IDs of the answers whose finished tool calls are shown with arguments and results. */
  openSteps: readonly string[];
  sending: boolean;
  /** True while attachments are uploading or a recording is in progress. */
  composerBusy: boolean;
  warned: MissingResults | null;
  problem: AppError | null;
  /** Sends despite the daily cap or with the entered key; null if `problem` is another error. */
  runAnyway: (() => void) | null;
};

/** All widths are in pixels. */
export const listWidths = { min: 160, default: 220, max: 420 };

export const useChat = create<ChatStore>()(
  persist(
    (): ChatStore => ({
      selectedId: null,
      createdId: null,
      visit: 0,
      listOpen: null,
      listWidth: listWidths.default,
      optionsOpen: false,
      closedFolders: [],
      archivedOpen: false,
      checkedIds: null,
      renamingId: null,
      folderDialog: null,
      listWork: null,
      listProblem: null,
      stopListWork: null,
      places: {},
      seenFailures: {},
      pendingOptions: null,
      systemMessageEdition: 0,
      editingId: null,
      editor: null,
      findOpened: 0,
      foundChoiceId: null,
      sources: [],
      openSteps: [],
      sending: false,
      composerBusy: false,
      warned: null,
      problem: null,
      runAnyway: null,
    }),
    {
      name: 'gatehouse:chat',
      partialize: (chat) => ({
        selectedId: chat.selectedId,
        listOpen: chat.listOpen,
        listWidth: chat.listWidth,
        optionsOpen: chat.optionsOpen,
        closedFolders: chat.closedFolders,
        archivedOpen: chat.archivedOpen,
        places: chat.places,
        seenFailures: chat.seenFailures,
      }),
    },
  ),
);

export function selectConversation(id: string | null): void {
  useChat.setState(({ visit }) => ({
    selectedId: id,
    createdId: null,
    visit: visit + 1,
    editingId: null,
    editor: null,
    findOpened: 0,
    warned: null,
    problem: null,
  }));
}

/** Clears the mark of a failed answer, until another answer fails. */
export function markFailureSeen({ id, messageCount }: ConversationSummary): void {
  useChat.setState(({ seenFailures }) => ({
    seenFailures: { ...seenFailures, [id]: messageCount },
  }));
}

export function openFind(): void {
  useChat.setState(({ findOpened }) => ({ findOpened: findOpened + 1 }));
}

export function closeFind(): void {
  useChat.setState({ findOpened: 0 });
}

export function showChoice(foundChoiceId: string | null): void {
  useChat.setState({ foundChoiceId });
}

export function toggleSource(messageId: string): void {
  useChat.setState(({ sources }) => ({ sources: toggle(sources, messageId) }));
}

export function toggleStep(answerId: string): void {
  useChat.setState(({ openSteps }) => ({ openSteps: toggle(openSteps, answerId) }));
}

function toggle(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];
}

export function toggleList(): void {
  useChat.setState(({ listOpen }) => ({ listOpen: listOpen !== true }));
}

export function openOptions(optionsOpen: boolean): void {
  useChat.setState({ optionsOpen });
}

export function setListWidth(width: number): void {
  const { min, max } = listWidths;
  useChat.setState({ listWidth: Math.round(Math.min(max, Math.max(min, width))) });
}

export function toggleFolder(name: string): void {
  useChat.setState(({ closedFolders }) => ({
    closedFolders: closedFolders.includes(name)
      ? closedFolders.filter((one) => one !== name)
      : [...closedFolders, name],
  }));
}

export function toggleArchived(): void {
  useChat.setState(({ archivedOpen }) => ({ archivedOpen: !archivedOpen }));
}

/** Null leaves the selection mode. */
export function setCheckedConversations(ids: readonly string[] | null): void {
  useChat.setState({ checkedIds: ids });
}

export function renameInList(id: string | null): void {
  useChat.setState({ renamingId: id });
}

export function openFolderDialog(folderDialog: FolderDialog | null): void {
  useChat.setState({ folderDialog });
}

export function editMessage(id: string | null): void {
  useChat.setState({ editingId: id });
}

export function openEditor(editor: OptionEditor | null): void {
  useChat.setState({ editor });
}

export function setComposerBusy(composerBusy: boolean): void {
  useChat.setState({ composerBusy });
}

export function dismissWarning(): void {
  useChat.setState({ warned: null });
}

export function dismissProblem(): void {
  useChat.setState({ problem: null });
}

export function rememberScrollPlace(conversationId: string, place: Place | null): void {
  useChat.setState(({ places }) => {
    const { [conversationId]: _old, ...others } = places;
    return { places: place === null ? others : { ...others, [conversationId]: place } };
  });
}
