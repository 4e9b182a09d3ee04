import { useQuery } from '@tanstack/react-query';
import { memo, useEffect } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import { inspectNextRequest } from '../../lib/layout.ts';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { useBeginChat } from '../../run/form/use-connection.ts';
import { RunError } from '../../run/frame/run-error.tsx';
import { useRunOnScreen } from '../../run/live/on-screen.ts';
import { PanelFrame } from '../../run/panel/panel-frame.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ListIcon } from '../../ui/icons/actions.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { useChatCommands } from './chat-commands.ts';
import { ChatLog } from './chat-log.tsx';
import styles from './chat-panel.module.css';
import { ChatRequestFields } from './composer/chat-request-fields.tsx';
import { Composer } from './composer/composer.tsx';
import { NextRequestOffer } from './composer/next-request.tsx';
import { continueTurn, getMessagesUndoKey, stopTurns } from './conversation/chat-actions.ts';
import { dismissProblem, toggleList, useChat } from './conversation/chat-store.ts';
import { showNewConversation } from './conversation/conversation-settings.ts';
import { useFollowRoute } from './conversation/use-conversation.ts';
import { ConversationNavigation } from './list/conversation-list.tsx';
import { getConversationsQuery } from './list/list-query.ts';
import { useInspectRunInView } from './log/run-in-view.ts';
import { ConversationOptions, OptionEditors } from './options/conversation-options.tsx';
import { SystemMessage } from './options/system-message.tsx';
import { usePresetConversation } from './options/use-preset-conversation.ts';
import {
  ChatSessionContext,
  canFind,
  useChatSession,
  useChatState,
} from './session/chat-session.ts';
import { ownedFields } from './session/request-options.ts';
import { useStartSession } from './start-session.ts';

const MessageMenu = lazyComponent(async () => (await import('./log/message-menu.tsx')).MessageMenu);

export function ChatPanel() {
  // Start a new chat first, because the route still points to the previous conversation.
  useBeginChat(showNewConversation);
  useFollowRoute(useChat((chat) => chat.selectedId));
  const session = useStartSession();
  return (
    <ChatSessionContext value={session}>
      <ChatFrame />
    </ChatSessionContext>
  );
}

/** Memoized, because the parts of the panel follow the session by themselves. */
const ChatFrame = memo(function ChatFrame() {
  const { visit, send, stop } = useChatSession();
  const form = useChatState((chat) => chat.form);
  const compare = useChatState((chat) => chat.compare);
  const running = useChatState((chat) => chat.running);
  const queues = useChatState((chat) => chat.queuesAfter !== null);
  const blocked = useChatState((chat) => chat.blocked);
  const isFindable = useChatState(canFind);
  const lastRunId = useChatState(
    ({ path }) => path.findLast(({ run }) => run !== null)?.run?.id ?? null,
  );
  const sending = useChat((chat) => chat.sending);
  const listOpen = useListOpen();
  useRunOnScreen(lastRunId);
  useInspectRunInView();
  useChatCommands();
  return (
    <PanelFrame
      title="Chat"
      pickers={<RunPickers form={form} hasFormat={false} />}
      hasPrompts={false}
      actions={
        <>
          {isFindable && <MessageMenu />}
          <IconButton
            label="Conversations"
            icon={<ListIcon />}
            pressed={listOpen}
            onClick={toggleList}
          />
        </>
      }
      compare={compare}
      sidebar={<ChatSidebar key={visit} />}
      running={running}
      queues={queues}
      runBusy={sending}
      runBlocked={blocked}
      runPlace="content"
      runLabel="Send"
      onRun={() => void send(false)}
      onStop={stop}
    >
      <div className="fill">
        {listOpen && <ConversationNavigation />}
        <div className={`fill ${styles.conversation}`} key={visit}>
          <SystemMessage />
          <ChatLog />
          <ChatProblems />
          <ChatRequestFields>
            <Composer />
          </ChatRequestFields>
        </div>
      </div>
      {!compare.isOn && <NextRequestOffer key={visit} />}
      <OptionEditors />
    </PanelFrame>
  );
});

/** Opens the list with the first conversation, because until then there is nothing to list. */
function useListOpen(): boolean {
  const listOpen = useChat((chat) => chat.listOpen);
  const { data = [] } = useQuery({ ...getConversationsQuery('', 1), enabled: listOpen === null });
  const opens = listOpen === null && data.length > 0;
  useEffect(() => {
    if (opens) useChat.setState({ listOpen: true });
  }, [opens]);
  return listOpen === true;
}

const noErrors: readonly FieldError[] = [];

function ChatSidebar() {
  const form = useChatState((chat) => chat.form);
  const conversation = useChatState((chat) => chat.conversation);
  const isNew = useChatState((chat) => chat.conversationId === null);
  const tools = useChatState((chat) => chat.tools);
  const compares = useChatState((chat) => chat.compare.isOn);
  const problem = useChat((chat) => chat.problem);
  const presetConversation = usePresetConversation(conversation, isNew, tools.saved);
  return (
    <>
      <ConversationOptions onShowRequest={compares ? null : inspectNextRequest} />
      <ParameterSidebar
        form={form}
        owned={ownedFields}
        hasFormat
        conversation={presetConversation}
        errors={problem?.kind === 'invalid-request' ? problem.fields : noErrors}
      />
    </>
  );
}

/** Shows why the comparison, the last turn or the last action failed, and what can be undone. */
function ChatProblems() {
  const id = useChatState((chat) => chat.conversationId);
  const lastId = useChatState(({ path }) => path.at(-1)?.id ?? null);
  const compare = useChatState((chat) => chat.compare);
  const turnProblem = useChatState((chat) => chat.turnProblem);
  const problem = useChat((chat) => chat.problem);
  const runAnyway = useChat((chat) => chat.runAnyway);
  return (
    <>
      {compare.isOn && compare.problem !== null && (
        <div className={styles.problem}>
          <RunError error={compare.problem} runLabel="Send" onRetry={compare.retry ?? undefined} />
        </div>
      )}
      {turnProblem !== null && id !== null && lastId !== null && (
        <div className={styles.problem}>
          <RunError
            error={turnProblem}
            runLabel="Send"
            onRetry={() => void continueTurn(id, lastId, turnProblem.kind === 'beyond-cap')}
            onDismiss={() => void stopTurns(id)}
          />
        </div>
      )}
      {problem !== null && (
        <div className={styles.problem}>
          <RunError
            error={problem}
            runLabel="Send"
            onRetry={runAnyway ?? undefined}
            onDismiss={dismissProblem}
          />
        </div>
      )}
      {id !== null && <UndoBars place={getMessagesUndoKey(id)} className={styles.problem} />}
    </>
  );
}
