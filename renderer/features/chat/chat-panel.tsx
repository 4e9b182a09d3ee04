import { type ComponentProps, type ElementType, useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useCommands } from '../../lib/commands.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { useComparing } from '../../run/compare/use-comparing.ts';
import { useBeginChat } from '../../run/form/added-connection.ts';
import { conversationForm } from '../../run/form/panel-forms.ts';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { useReadyRun } from '../../run/form/use-ready-run.ts';
import { FirstScreen } from '../../run/frame/empty-result.tsx';
import { PanelFrame } from '../../run/frame/panel-frame.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChatIcon, HistoryIcon } from '../../ui/icons/panels.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { messagesPlace, sendExample, sendMessage, stopRun } from './chat-actions.ts';
import { chatExamples, type SendExample } from './chat-examples.ts';
import styles from './chat-panel.module.css';
import { dismissProblem, toggleList, useChat } from './chat-store.ts';
import { comparedChat } from './columns/compared-chat.ts';
import { useSendCompared } from './columns/use-send-compared.ts';
import { OptionChips, ParameterChips } from './composer/changed-chips.tsx';
import { Composer } from './composer/composer.tsx';
import { type Send, useSend } from './composer/use-send.ts';
import { ConversationNavigation } from './conversations/conversation-list.tsx';
import { startConversation } from './conversations/conversation-settings.ts';
import {
  openToolCallId,
  useActiveRunId,
  useConversation,
  useFollowRoute,
} from './conversations/use-conversation.ts';
import { ConversationLog } from './messages/conversation-log.tsx';
import { useMessageHandlers } from './messages/message-handlers.ts';
import { ConversationOptions } from './options/conversation-options.tsx';
import { OptionEditors } from './options/option-editors.tsx';
import { ownedFields, requestOptions } from './options/request-options.ts';
import { SystemMessage } from './options/system-message.tsx';
import { useOptions, useSavedTools } from './options/use-options.ts';

const loadColumns = () =>
  Promise.all([
    import('./columns/chat-columns.tsx'),
    import('./messages/message-surroundings.tsx'),
    import('./columns/column-actions.ts'),
  ]);
const Columns = lazyComponent(
  async () => {
    const [{ ChatColumns }, { MessageProviders }] = await loadColumns();
    return ({ expectsJson, ...columns }: ColumnsProps<typeof ChatColumns>) => (
      <MessageProviders expectsJson={expectsJson}>
        <ChatColumns {...columns} />
      </MessageProviders>
    );
  },
  { waiting: Loading },
);
type ColumnsProps<Shown extends ElementType> = ComponentProps<Shown> & { expectsJson: boolean };
const ToolResultsForm = lazyComponent(
  async () => (await import('./composer/tool-results-form.tsx')).ToolResultsForm,
);

export function ChatPanel() {
  const { selectedId, listOpen, sending, problem, runAnyway } = useChat(
    useShallow(({ places: _, editor: __, ...chat }) => chat),
  );
  const composerForm = conversationForm(selectedId);
  // Before the address is followed, which still names the conversation that was open.
  useBeginChat(startConversation);
  useFollowRoute(selectedId);
  const { conversation, path, notes, siblings, choices, error, isLoading, isPartial } =
    useConversation(selectedId);
  const tools = useSavedTools();
  const { options, changeOptions } = useOptions(conversation, selectedId === null);
  const run = useReadyRun(composerForm, ownedFields);
  const ready = useMemo(
    () =>
      run.ready && {
        ...run.ready,
        request: { ...run.ready.request, ...requestOptions(options, tools) },
      },
    [run.ready, options, tools],
  );
  const handlers = useMessageHandlers(conversation, ready);
  const activeRunId = useActiveRunId(path);
  const compare = useComparing(composerForm, comparedChat);
  const { isOn: compares, comparisonId } = compare;
  usePreload(compares ? loadColumns : null);
  const lastId = path.at(-1)?.id ?? null;
  const sendCompared = useSendCompared({
    ...{ form: composerForm, comparisonId, lastId },
    ...{ connectionId: run.connection?.id ?? null, model: run.model },
  });
  const sendOne =
    ready &&
    ((...[message, earlier, sourceRunId]: Parameters<Send>) =>
      sendMessage({ ...ready, sourceRunId }, lastId, message, earlier));
  const sender = useSend({
    form: composerForm,
    path,
    send: compares
      ? (message, _earlier, sourceRunId) =>
          sendCompared({ message, sourceRunId, options, tools, ownsOptions: false })
      : sendOne,
    columns: !compares ? 'none' : comparisonId === null ? 'new' : 'shown',
  });
  const { openCalls, warned, dismissWarning } = sender;
  const runBlocked = compares ? compare.blocked : run.blocked;
  const blocked = runBlocked ?? sender.blocked;
  const blockedReason = blocked?.reason ?? null;
  const end = useMemo(
    () =>
      openCalls !== null && activeRunId === null ? (
        <ToolResultsForm
          form={composerForm}
          calls={openCalls}
          warned={warned}
          blockedReason={blockedReason}
          onRun={sender.run}
          onTyped={dismissWarning}
        />
      ) : null,
    [composerForm, openCalls, activeRunId, warned, blockedReason, sender.run, dismissWarning],
  );

  const empty = useMemo(() => {
    const sendIt: SendExample = (message, own, known) => {
      if (compares) {
        const turn = { message, sourceRunId: null, options: own, tools: known };
        void sendCompared({ ...turn, ownsOptions: true });
      } else if (run.ready !== null) {
        const request = { ...run.ready.request, ...requestOptions(own, known) };
        void sendExample({ ...run.ready, request }, message, own);
      }
    };
    return (
      <FirstScreen
        icon={<ChatIcon size={24} />}
        title="Start a conversation"
        blocked={runBlocked}
        examples={chatExamples(sendIt, tools)}
      >
        Write a message below, or run an example.
      </FirstScreen>
    );
  }, [run.ready, runBlocked, tools, compares, sendCompared]);
  const comparing = compares && compare.running;
  const running = comparing || activeRunId !== null;
  const stop = () => {
    if (comparing) void compare.stop();
    else if (activeRunId !== null) void stopRun(activeRunId);
  };
  const startRun = () => sender.run(false);

  const last = path.at(-1);
  const expectsJson = options.responseFormat !== null;
  const showsColumns = compares && comparisonId !== null && conversation !== null;
  useCommands([
    {
      id: 'chat.retry',
      title: 'Retry last answer',
      group: 'Chat',
      keywords: 'again regenerate',
      enabled: last?.role === 'assistant' && !running && !showsColumns,
      run: () => last !== undefined && handlers.onRetry(last),
    },
    {
      id: 'chat.new',
      title: 'New conversation',
      group: 'Chat',
      shortcut: 'Mod+Shift+O',
      run: startConversation,
    },
    { id: 'chat.list', title: 'Toggle conversations', group: 'Chat', run: toggleList },
  ]);

  return (
    <PanelFrame
      title="Chat"
      pickers={<RunPickers form={composerForm} />}
      actions={
        <IconButton
          label="Conversations"
          icon={<HistoryIcon />}
          pressed={listOpen}
          onClick={toggleList}
        />
      }
      compare={compare}
      sidebar={
        <>
          <ConversationOptions options={options} tools={tools} onChange={changeOptions} />
          <ParameterSidebar
            key={composerForm.id}
            form={composerForm}
            owned={ownedFields}
            errors={problem?.kind === 'invalid-request' ? problem.fields : []}
          />
        </>
      }
      running={running}
      runBusy={sending}
      runBlocked={blocked}
      runPlace="content"
      onRun={startRun}
      onStop={stop}
    >
      <div className={styles.columns}>
        {listOpen && <ConversationNavigation />}
        <div className={styles.conversation} key={selectedId ?? 'new'}>
          <SystemMessage conversationId={selectedId} saved={conversation?.systemMessage ?? null} />
          {showsColumns ? (
            <Columns
              expectsJson={expectsJson}
              compare={compare}
              conversation={conversation}
              form={composerForm}
            />
          ) : (
            <ConversationLog
              conversationId={selectedId}
              form={composerForm}
              path={path}
              siblings={siblings}
              notes={notes}
              choices={choices}
              handlers={handlers}
              expectsJson={expectsJson}
              isLoading={isLoading}
              isPartial={isPartial}
              error={error}
              empty={empty}
              end={end}
            />
          )}
          {compares && compare.problem !== null && (
            <div className={styles.problem}>
              <ErrorAlert error={compare.problem} onRetry={compare.retry ?? undefined} />
            </div>
          )}
          {problem !== null && (
            <div className={styles.problem}>
              <ErrorAlert
                error={problem}
                onRetry={runAnyway ?? undefined}
                onDismiss={dismissProblem}
              />
            </div>
          )}
          {selectedId !== null && (
            <UndoBars place={messagesPlace(selectedId)} className={styles.problem} />
          )}
          <Composer
            form={composerForm}
            openToolCallId={openToolCallId(path)}
            focused={selectedId === null}
            addReason={sender.addReason}
            run={{
              running,
              busy: sending,
              disabledReason: blockedReason,
              onRun: startRun,
              onStop: stop,
            }}
            chips={
              <>
                <OptionChips options={options} tools={tools} />
                <ParameterChips form={composerForm} description={run.description} />
              </>
            }
            onBusyChange={sender.setComposerBusy}
            onAdd={sender.add}
          />
        </div>
      </div>
      <OptionEditors form={composerForm} options={options} tools={tools} onChange={changeOptions} />
    </PanelFrame>
  );
}

function Loading() {
  return (
    <div className={styles.center}>
      <Spinner label="Loading comparison" />
    </div>
  );
}
