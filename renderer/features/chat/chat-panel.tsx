import { useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { useCommands } from '../../lib/commands.ts';
import { PanelFrame } from '../../run/panel-frame.tsx';
import { ParameterSidebar } from '../../run/parameter-sidebar.tsx';
import { RunPickers } from '../../run/run-pickers.tsx';
import { useRunForm } from '../../run/use-run-form.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { HistoryIcon } from '../../ui/icons/panels.tsx';
import { LinkOpenerContext } from '../../ui/markdown/link-opener.ts';
import { addMessage, sendMessage, stopRun } from './chat-actions.ts';
import styles from './chat-panel.module.css';
import { dismissProblem, selectConversation, toggleList, useChat } from './chat-store.ts';
import { Composer, type ComposerHandle } from './composer.tsx';
import { ConversationLog } from './conversation-log.tsx';
import { ConversationNavigation } from './conversation-navigation.tsx';
import { DeleteMessageDialog } from './delete-message-dialog.tsx';
import { SystemMessage } from './system-message.tsx';
import { openToolCallId, useActiveRunId, useConversation } from './use-conversation.ts';
import { useMessageHandlers } from './use-message-handlers.ts';

const openLink =
  location.protocol === 'app:' ? (url: string) => void api.system.openExternal({ url }) : null;

export function ChatPanel() {
  const { selectedId, createdId, listOpen, sending, problem } = useChat();
  const { conversation, path, siblings, error, isLoading } = useConversation(selectedId);
  const { ready, blockedReason } = useRunForm('chat');
  const { handlers, deletion, closeDeletion } = useMessageHandlers(conversation, ready);
  const activeRunId = useActiveRunId(path);
  const composer = useRef<ComposerHandle>(null);
  const [composerEmpty, setComposerEmpty] = useState(true);
  const last = path.at(-1);
  const nothingToSend = composerEmpty && (last === undefined || last.role === 'assistant');

  async function send(how: 'run' | 'add') {
    const handle = composer.current;
    const message = handle?.read() ?? null;
    const parentId = last?.id ?? null;
    if (how === 'run') {
      if (ready === null || (message === null && nothingToSend)) return;
      if (await sendMessage(ready, parentId, message)) handle?.clear();
    } else if (message !== null && (await addMessage(parentId, message))) handle?.clear();
  }

  useCommands([
    {
      id: 'chat.new',
      title: 'New conversation',
      group: 'Chat',
      shortcut: 'Mod+Shift+O',
      run: () => selectConversation(null),
    },
    { id: 'chat.list', title: 'Show or hide conversations', group: 'Chat', run: toggleList },
  ]);

  return (
    <PanelFrame
      title="Chat"
      pickers={<RunPickers operation="chat" />}
      actions={
        <IconButton
          label="Conversations"
          icon={<HistoryIcon />}
          pressed={listOpen}
          onClick={toggleList}
        />
      }
      sidebar={
        <ParameterSidebar
          operation="chat"
          errors={problem?.kind === 'invalid-request' ? problem.fields : []}
        />
      }
      running={activeRunId !== null}
      runBusy={sending}
      runDisabledReason={blockedReason ?? (nothingToSend ? 'Write a message first.' : null)}
      onRun={() => void send('run')}
      onStop={() => activeRunId !== null && void stopRun(activeRunId)}
    >
      <div className={styles.columns}>
        {listOpen && <ConversationNavigation />}
        <div className={styles.conversation} key={selectedId ?? 'new'}>
          <SystemMessage conversationId={selectedId} saved={conversation?.systemMessage ?? ''} />
          <LinkOpenerContext value={openLink}>
            <ConversationLog
              conversationId={selectedId}
              path={path}
              siblings={siblings}
              handlers={handlers}
              isLoading={isLoading}
              error={error}
              ready={ready}
            />
          </LinkOpenerContext>
          {problem !== null && (
            <div className={styles.problem}>
              <ErrorAlert error={problem} onRetry={dismissProblem} retryLabel="Dismiss" />
            </div>
          )}
          <Composer
            ref={composer}
            conversationId={selectedId}
            openToolCallId={openToolCallId(path)}
            focused={selectedId === createdId}
            isEmpty={composerEmpty}
            onEmptyChange={setComposerEmpty}
            onAdd={() => void send('add')}
          />
        </div>
      </div>
      <DeleteMessageDialog
        deletion={deletion}
        conversation={conversation}
        onClose={closeDeletion}
      />
    </PanelFrame>
  );
}
