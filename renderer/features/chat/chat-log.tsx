import { usePreload } from '../../lib/use-preload.ts';
import { FirstScreen } from '../../run/frame/empty-result.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ChatIcon } from '../../ui/icons/panels.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { createChatExamples } from './chat-examples.ts';
import styles from './chat-panel.module.css';
import { useChat } from './conversation/chat-store.ts';
import { useChatSession, useChatState } from './session/chat-session.ts';

const ConversationLog = lazyComponent(
  async () => (await import('./log/conversation-log.tsx')).ConversationLog,
  { waiting: Loading },
);
const ChatColumns = lazyComponent(
  async () => (await import('./columns/chat-columns.tsx')).ChatColumns,
  { waiting: Loading },
);

// An opened conversation needs its log at once, and a new one when the first message is sent.
if (useChat.getState().selectedId !== null) void ConversationLog.preload();

/** Shows the conversation, the columns of its comparison, or what to start with. */
export function ChatLog() {
  const isLoading = useChatState((chat) => chat.isLoading);
  const error = useChatState((chat) => chat.error);
  const showsColumns = useChatState((chat) => chat.showsColumns);
  const isEmpty = useChatState((chat) => chat.path.length === 0);
  usePreload(ConversationLog.preload);
  if (showsColumns) return <ChatColumns />;
  if (isLoading) return <Loading />;
  if (error !== null) {
    return (
      <div className={`fill ${styles.center}`}>
        <ErrorAlert error={error} />
      </div>
    );
  }
  if (!isEmpty) return <ConversationLog />;
  return (
    <div className={`fill ${styles.center}`} role="log" aria-label="Conversation" aria-live="off">
      <EmptyChat />
    </div>
  );
}

function Loading() {
  return (
    <div className={`fill ${styles.center}`}>
      <Spinner label="Loading conversation" />
    </div>
  );
}

function EmptyChat() {
  const { sendExample } = useChatSession();
  const tools = useChatState((chat) => chat.tools);
  const blocked = useChatState(({ compare, run }) =>
    compare.isOn ? compare.blocked : run.blocked,
  );
  return (
    <FirstScreen
      icon={<ChatIcon size={24} />}
      title="Start a conversation"
      blocked={blocked}
      examples={createChatExamples(sendExample, tools.saved)}
    >
      Type a message below, or try an example.
    </FirstScreen>
  );
}
