/** The chat that the panel shows: what its parts read, and what they can do. */
import { createContext, type RefObject, use } from 'react';
import { type StoreApi, useStore } from 'zustand';
import type {
  ConversationOptions,
  LiveTurn,
  TreeMessage,
  WrittenMessage,
} from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';
import type { Comparing } from '../../../run/compare/use-comparing.ts';
import type { ReadyRun } from '../../../run/form/resolve-form.ts';
import { type RunBlock, showRunBlock } from '../../../run/form/run-block.ts';
import type { Readiness } from '../../../run/form/use-ready-run.ts';
import { sendMessage } from '../conversation/chat-actions.ts';
import type { ComposerForm } from '../conversation/composer-form.ts';
import type { ConversationView } from '../conversation/use-conversation.ts';
import type { OpenToolCalls } from './open-tool-calls.ts';
import type { KnownTools } from './request-options.ts';

/** Doesn't change while an answer streams; the answer's own component reads its deltas. */
export interface ChatView extends ConversationView {
  /** Null for a new conversation. */
  conversationId: string | null;
  form: ComposerForm;
  options: ConversationOptions;
  tools: KnownTools;
  /** The parameters and their target, without the conversation's options. */
  run: Readiness;
  /** The next request without its messages; null if it can't be sent. */
  ready: ReadyRun | null;
  compare: Comparing;
  /** True if a message goes to all columns of the comparison that is shown. */
  showsColumns: boolean;
  /** The branch's unfinished run, or null. */
  activeRunId: string | null;
  /** The turn whose tools answer the calls at the end of the branch, or null. */
  turn: LiveTurn | null;
  /** True while a turn of any branch is at work. */
  isWorking: boolean;
  /** Why the last turn ended early. */
  turnProblem: AppError | null;
  /** True while there is something to stop. */
  running: boolean;
  /** The run that a queued message waits for; null if messages are sent at once. */
  queuesAfter: string | null;
  /** The calls at the end of the branch that wait for results; columns have their own. */
  openCalls: OpenToolCalls | null;
  /** Why nothing can be sent; null if something can. */
  blocked: RunBlock | null;
  /** Why the message can't be added without a run; null if it can. */
  addReason: string | null;
}

/** Lets the panel scroll the log of messages. */
export interface LogControl {
  getScroller: () => HTMLElement | null;
  /** Does nothing if the message is in view. */
  showMessage: (messageId: string) => void;
  scrollBy: (pixels: number) => void;
  jumpTo: (messageId: string) => void;
  /** Jumps to the previous (-1) or next (1) message. */
  step: (direction: -1 | 1) => void;
}

/** Sends the message with these options and tools instead of the conversation's. */
export type SendExample = (
  message: WrittenMessage,
  options: ConversationOptions,
  tools: readonly SavedTool[],
) => void;

/** Stays the same object while a conversation is shown. */
export interface ChatSession {
  /** Differs for each conversation that is opened, but not if the first message creates it. */
  visit: number;
  state: StoreApi<ChatView>;
  /** Null while no log is shown. */
  log: RefObject<LogControl | null>;
  /**
   * Sends the results of the open calls and the composer's message: to every column, into the queue
   * while an answer streams, or else to the model. `insist` sends although results are missing.
   */
  send: (insist: boolean) => Promise<void>;
  /** Adds the composer's message without requesting an answer. */
  add: () => Promise<void>;
  sendExample: SendExample;
  /** Stops the comparison, or the turns and the branch's run. */
  stop: () => void;
  /** Resolves to false if saving failed, and the panel shows the error. */
  changeOptions: (change: Partial<ConversationOptions>) => Promise<boolean>;
}

export const ChatSessionContext = createContext<ChatSession | null>(null);

export function useChatSession(): ChatSession {
  const session = use(ChatSessionContext);
  if (session === null) throw new Error('This component belongs inside the chat panel.');
  return session;
}

/** Renders again only if the selected part changes. */
export function useChatState<Part>(select: (state: ChatView) => Part): Part {
  return useStore(useChatSession().state, select);
}

/** Returns true if a single log is shown, whose messages can be searched. */
export function canFind({ path, showsColumns }: ChatView): boolean {
  return path.length > 0 && !showsColumns;
}

/** Requests another version of the answer, or shows why it can't. */
export function retryAnswer({ ready }: ChatView, { parentId }: TreeMessage): void {
  if (ready === null) showRunBlock();
  else void sendMessage(ready, parentId, null);
}
