import { useMemo, useRef } from 'react';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useCommands } from '../../lib/commands.ts';
import { PanelFrame } from '../../run/panel-frame.tsx';
import { ParameterSidebar } from '../../run/parameter-sidebar.tsx';
import { RunPickers } from '../../run/run-pickers.tsx';
import { useRunForm } from '../../run/use-run-form.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { HistoryIcon } from '../../ui/icons/panels.tsx';
import { ImageFetcherContext } from '../../ui/markdown/image-fetcher.ts';
import { LinkOpenerContext } from '../../ui/markdown/link-opener.ts';
import { showToast } from '../../ui/show-toast.ts';
import { stopRun } from './chat-actions.ts';
import styles from './chat-panel.module.css';
import { dismissProblem, selectConversation, toggleList, useChat } from './chat-store.ts';
import { Composer, type ComposerHandle } from './composer.tsx';
import { ConversationLog } from './conversation-log.tsx';
import { ConversationNavigation } from './conversation-navigation.tsx';
import { ConversationOptions } from './conversation-options.tsx';
import { DeleteMessageDialog } from './delete-message-dialog.tsx';
import { ownedFields, requestOptions } from './request-options.ts';
import { ExpectsJsonContext } from './schema-check.tsx';
import { SystemMessage } from './system-message.tsx';
import { ToolResultsForm } from './tool-results-form.tsx';
import { openToolCallId, useActiveRunId, useConversation } from './use-conversation.ts';
import { useFollowRoute } from './use-follow-route.ts';
import { useMessageHandlers } from './use-message-handlers.ts';
import { useOptions, useSavedTools } from './use-options.ts';
import { useSend } from './use-send.ts';

function openOutside(url: string): void {
  api.system
    .openExternal({ url })
    .catch((error: unknown) => showToast({ message: toAppError(error).message, tone: 'danger' }));
}

const openLink = location.protocol === 'app:' ? openOutside : null;

const fetchImage = (url: string) => api.media.fetchRemote({ url });

export function ChatPanel() {
  const { selectedId, createdId, listOpen, sending, problem } = useChat();
  useFollowRoute(selectedId);
  const { conversation, path, siblings, choices, error, isLoading } = useConversation(selectedId);
  const tools = useSavedTools();
  const { options, changeOptions } = useOptions(conversation, selectedId === null);
  const form = useRunForm('chat', ownedFields);
  const ready = useMemo(
    () =>
      form.ready && {
        ...form.ready,
        request: { ...form.ready.request, ...requestOptions(options, tools) },
      },
    [form.ready, options, tools],
  );
  const { handlers, deletion, closeDeletion } = useMessageHandlers(conversation, ready);
  const activeRunId = useActiveRunId(path);
  const composer = useRef<ComposerHandle>(null);
  const sender = useSend({ path, ready, composer });
  const blockedReason = form.blockedReason ?? sender.blockedReason;

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
        <>
          <ConversationOptions options={options} tools={tools} onChange={changeOptions} />
          <ParameterSidebar
            operation="chat"
            owned={ownedFields}
            errors={problem?.kind === 'invalid-request' ? problem.fields : []}
          />
        </>
      }
      running={activeRunId !== null}
      runBusy={sending}
      runDisabledReason={blockedReason}
      onRun={() => void sender.run()}
      onStop={() => activeRunId !== null && void stopRun(activeRunId)}
    >
      <div className={styles.columns}>
        {listOpen && <ConversationNavigation />}
        <div className={styles.conversation} key={selectedId ?? 'new'}>
          <SystemMessage conversationId={selectedId} saved={conversation?.systemMessage ?? ''} />
          <LinkOpenerContext value={openLink}>
            <ImageFetcherContext value={fetchImage}>
              <ExpectsJsonContext value={options.responseFormat !== null}>
                <ConversationLog
                  conversationId={selectedId}
                  path={path}
                  siblings={siblings}
                  choices={choices}
                  handlers={handlers}
                  isLoading={isLoading}
                  error={error}
                  ready={ready}
                  end={
                    sender.openCalls === null || activeRunId !== null ? null : (
                      <ToolResultsForm
                        open={sender.openCalls}
                        blockedReason={blockedReason}
                        onRun={(insist) => void sender.run(insist)}
                      />
                    )
                  }
                />
              </ExpectsJsonContext>
            </ImageFetcherContext>
          </LinkOpenerContext>
          {problem !== null && (
            <div className={styles.problem}>
              <ErrorAlert error={problem} onDismiss={dismissProblem} />
            </div>
          )}
          <Composer
            ref={composer}
            conversationId={selectedId}
            openToolCallId={openToolCallId(path)}
            focused={selectedId === createdId}
            isEmpty={sender.composerEmpty}
            onEmptyChange={sender.setComposerEmpty}
            onBusyChange={sender.setComposerBusy}
            onAdd={() => void sender.add()}
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
