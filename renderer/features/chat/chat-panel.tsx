import { useCallback, useMemo, useRef } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { FieldError } from '../../../shared/errors.ts';
import { countRounds } from '../../../shared/operations/chat/open-calls.ts';
import { inspectNextRequest } from '../../lib/layout.ts';
import { useComparing } from '../../run/compare/use-comparing.ts';
import { conversationForm } from '../../run/form/panel-forms.ts';
import { ParameterSidebar } from '../../run/form/parameter-sidebar.tsx';
import { RunPickers } from '../../run/form/run-pickers.tsx';
import { useBeginChat } from '../../run/form/use-connection.ts';
import { useReadyRun } from '../../run/form/use-ready-run.ts';
import { FirstScreen } from '../../run/frame/empty-result.tsx';
import { RunError } from '../../run/frame/run-error.tsx';
import { useRunOnScreen } from '../../run/live/on-screen.ts';
import { PanelFrame } from '../../run/panel/panel-frame.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChatIcon, HistoryIcon } from '../../ui/icons/panels.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import {
  continueTurn,
  getMessagesUndoKey,
  queueMessage,
  sendMessage,
  stopRun,
  stopTurns,
} from './chat-actions.ts';
import { useChatCommands } from './chat-commands.ts';
import { createChatExamples, type SendExample } from './chat-examples.ts';
import styles from './chat-panel.module.css';
import { dismissProblem, toggleList, useChat } from './chat-store.ts';
import { ChatColumns } from './columns/chat-columns.tsx';
import { type ColumnsTurn, sendToColumns } from './columns/column-actions.ts';
import { comparedChat } from './columns/column-branches.ts';
import { ChatRequestFields } from './composer/chat-request-fields.tsx';
import { Composer } from './composer/composer.tsx';
import { OptionChips, ParameterChips } from './composer/composer-chips.tsx';
import { ContextGauge } from './composer/context-gauge.tsx';
import { NextRequestOffer } from './composer/next-request.tsx';
import { canContinueTurn, findOpenToolCallId } from './composer/open-tool-calls.ts';
import { QueuedMessages } from './composer/queued-messages.tsx';
import { ToolResultsForm } from './composer/tool-results-form.tsx';
import { type Send, useSend } from './composer/use-send.ts';
import { ConversationNavigation } from './conversations/conversation-list.tsx';
import { startConversation } from './conversations/conversation-settings.ts';
import {
  getTurns,
  useActiveRunId,
  useConversation,
  useFollowRoute,
} from './conversations/use-conversation.ts';
import { ConversationLog, MessageProviders } from './messages/conversation-log.tsx';
import type { LogControl } from './messages/log-control.ts';
import { useMessageHandlers } from './messages/message-handlers.ts';
import { MessageMenu } from './messages/message-menu.tsx';
import { useInspectRunInView } from './messages/run-in-view.ts';
import { TurnCalls } from './messages/turn-calls.tsx';
import { getTurnFigures, TurnSummary } from './messages/turn-summary.tsx';
import { ConversationOptions, OptionEditors } from './options/conversation-options.tsx';
import { getRequestOptions, ownedFields } from './options/request-options.ts';
import { SystemMessage } from './options/system-message.tsx';
import { useKnownTools, useOptions } from './options/use-options.ts';
import { usePresetConversation } from './options/use-preset-conversation.ts';

const noErrors: readonly FieldError[] = [];

export function ChatPanel() {
  const { selectedId, visit, listOpen, sending, problem, runAnyway } = useChat(
    useShallow(({ places: _, editor: __, ...chat }) => chat),
  );
  const composerForm = conversationForm(selectedId);
  const log = useRef<LogControl>(null);
  // Start a new chat first, because the route still points to the previous conversation.
  useBeginChat(startConversation);
  useFollowRoute(selectedId);
  const { conversation, isLoading, error, ...branch } = useConversation(selectedId);
  const { path, earlier, loadEarlier } = branch;
  const tools = useKnownTools();
  const { options, changeOptions } = useOptions(conversation, selectedId === null);
  const presetConversation = usePresetConversation(conversation, selectedId === null, tools.saved);
  const run = useReadyRun(composerForm, ownedFields);
  const ready = useMemo(
    () =>
      run.ready && {
        ...run.ready,
        request: { ...run.ready.request, ...getRequestOptions(options, tools) },
      },
    [run.ready, options, tools],
  );
  const handlers = useMessageHandlers(conversation, ready);
  const activeRunId = useActiveRunId(path);
  useRunOnScreen(path.findLast((message) => message.run !== null)?.run?.id ?? null);
  useInspectRunInView();
  const { turn, isWorking, problem: turnProblem } = getTurns(conversation, path);
  const compare = useComparing(composerForm, comparedChat);
  const { isOn: compares, comparisonId } = compare;
  const lastId = path.at(-1)?.id ?? null;
  const connectionId = run.connection?.id ?? null;
  const { model } = run;
  const sendCompared = useCallback(
    (turn: Pick<ColumnsTurn, 'message' | 'sourceRunId' | 'options' | 'tools' | 'ownsOptions'>) => {
      const request = model === '' ? {} : { model };
      const target = connectionId === null ? null : { connectionId, request };
      return sendToColumns({ ...turn, form: composerForm, comparisonId, lastId, target });
    },
    [composerForm, comparisonId, lastId, connectionId, model],
  );
  const sendOne =
    ready &&
    ((...[message, earlier, sourceRunId]: Parameters<Send>) =>
      sendMessage({ ...ready, sourceRunId }, lastId, message, earlier));
  const waitsForRunId = activeRunId ?? turn?.runId ?? null;
  const canQueue = selectedId !== null && waitsForRunId !== null && !compares;
  const queueOne: Send | null =
    canQueue && ready !== null
      ? async (message, _earlier, sourceRunId) =>
          message !== null &&
          (await queueMessage(selectedId, { ...ready, sourceRunId }, message, waitsForRunId))
      : null;
  const sender = useSend({
    form: composerForm,
    path,
    send: compares
      ? (message, _earlier, sourceRunId) =>
          sendCompared({ message, sourceRunId, options, tools, ownsOptions: false })
      : canQueue
        ? queueOne
        : sendOne,
    columns: !compares ? 'none' : comparisonId === null ? 'new' : 'shown',
  });
  const { openCalls, warned, dismissWarning } = sender;
  const runBlocked = compares ? compare.blocked : run.blocked;
  const blocked = runBlocked ?? sender.blocked;
  const blockedReason = blocked?.reason ?? null;
  const end = useMemo(
    () =>
      turn !== null && selectedId !== null ? (
        <TurnCalls conversationId={selectedId} turn={turn} />
      ) : openCalls !== null && activeRunId === null ? (
        <ToolResultsForm
          form={composerForm}
          calls={openCalls}
          warned={warned}
          blockedReason={blockedReason}
          onRun={sender.run}
          onContinue={
            selectedId !== null && lastId !== null && canContinueTurn(openCalls, options, tools)
              ? () => void continueTurn(selectedId, lastId)
              : null
          }
          limit={countRounds(path) >= options.maxRounds ? options.maxRounds : null}
          onTyped={dismissWarning}
        />
      ) : activeRunId === null && getTurnFigures(path) !== null ? (
        <TurnSummary path={path} />
      ) : null,
    [
      composerForm,
      selectedId,
      lastId,
      turn,
      path,
      openCalls,
      activeRunId,
      options,
      tools,
      warned,
      blockedReason,
      sender.run,
      dismissWarning,
    ],
  );

  const empty = useMemo(() => {
    const send: SendExample = (message, own, saved) => {
      const known = { ...tools, saved };
      if (compares) {
        const turn = { message, sourceRunId: null, options: own, tools: known };
        void sendCompared({ ...turn, ownsOptions: true });
      } else if (run.ready !== null) {
        const request = { ...run.ready.request, ...getRequestOptions(own, known) };
        void sendMessage({ ...run.ready, request }, null, message, [], own);
      }
    };
    return (
      <FirstScreen
        icon={<ChatIcon size={24} />}
        title="Start a conversation"
        blocked={runBlocked}
        examples={createChatExamples(send, tools.saved)}
      >
        Type a message below, or try an example.
      </FirstScreen>
    );
  }, [run.ready, runBlocked, tools, compares, sendCompared]);
  const comparing = compares && compare.running;
  const running = comparing || activeRunId !== null || isWorking;
  const stop = () => {
    if (selectedId !== null && isWorking) void stopTurns(selectedId);
    if (comparing) void compare.stop();
    else if (activeRunId !== null) void stopRun(activeRunId);
  };
  const startRun = () => sender.run(false);

  const runControl = {
    running,
    busy: sending,
    disabledReason: blockedReason,
    onRun: startRun,
    onStop: stop,
  };
  const last = path.at(-1);
  const showsColumns = compares && comparisonId !== null && conversation !== null;
  const canFind = path.length > 0 && !showsColumns;
  useChatCommands({
    canRetry: last?.role === 'assistant' && !running && !showsColumns,
    canFind,
    onRetry: () => last !== undefined && handlers.onRetry(last),
    log,
  });

  return (
    <PanelFrame
      title="Chat"
      pickers={<RunPickers form={composerForm} />}
      actions={
        <>
          {canFind && <MessageMenu path={path} control={log} />}
          <IconButton
            label="Conversations"
            icon={<HistoryIcon />}
            pressed={listOpen}
            onClick={toggleList}
          />
        </>
      }
      compare={compare}
      sidebar={
        <>
          <ConversationOptions
            options={options}
            tools={tools}
            onChange={changeOptions}
            onShowRequest={compares ? null : inspectNextRequest}
          />
          <ParameterSidebar
            key={visit}
            form={composerForm}
            owned={ownedFields}
            conversation={presetConversation}
            errors={problem?.kind === 'invalid-request' ? problem.fields : noErrors}
          />
        </>
      }
      running={running}
      queues={canQueue}
      runBusy={sending}
      runBlocked={blocked}
      runPlace="content"
      onRun={startRun}
      onStop={stop}
    >
      <div className="fill">
        {listOpen && <ConversationNavigation />}
        <div className={`fill ${styles.conversation}`} key={visit}>
          <SystemMessage conversationId={selectedId} saved={conversation?.systemMessage ?? null} />
          <MessageProviders options={options} changeOptions={changeOptions}>
            {showsColumns ? (
              <ChatColumns
                compare={compare}
                conversation={conversation}
                earlier={earlier}
                loadEarlier={loadEarlier}
                form={composerForm}
              />
            ) : (
              <ConversationLog
                conversationId={selectedId}
                form={composerForm}
                {...branch}
                handlers={handlers}
                isLoading={isLoading}
                error={error}
                empty={empty}
                end={end}
                control={log}
              />
            )}
          </MessageProviders>
          {compares && compare.problem !== null && (
            <div className={styles.problem}>
              <RunError error={compare.problem} onRetry={compare.retry ?? undefined} />
            </div>
          )}
          {turnProblem !== null && selectedId !== null && lastId !== null && (
            <div className={styles.problem}>
              <RunError
                error={turnProblem}
                onRetry={() =>
                  void continueTurn(selectedId, lastId, turnProblem.kind === 'beyond-cap')
                }
                onDismiss={() => void stopTurns(selectedId)}
              />
            </div>
          )}
          {problem !== null && (
            <div className={styles.problem}>
              <RunError
                error={problem}
                onRetry={runAnyway ?? undefined}
                onDismiss={dismissProblem}
              />
            </div>
          )}
          {selectedId !== null && (
            <UndoBars place={getMessagesUndoKey(selectedId)} className={styles.problem} />
          )}
          <ChatRequestFields
            request={{
              form: composerForm,
              conversation,
              path,
              options,
              tools,
              changeOptions,
              ready,
              blocked: run.blocked,
            }}
            blocked={blocked}
            run={runControl}
          >
            <Composer
              form={composerForm}
              queue={
                selectedId === null ? null : (
                  <QueuedMessages
                    conversationId={selectedId}
                    form={composerForm}
                    parentId={lastId}
                    running={running}
                    activeRunId={waitsForRunId}
                  />
                )
              }
              onQueue={canQueue ? startRun : null}
              openToolCallId={findOpenToolCallId(path)}
              focused={selectedId === null}
              addReason={sender.addReason}
              run={runControl}
              chips={
                <>
                  <OptionChips options={options} tools={tools} />
                  <ParameterChips form={composerForm} description={run.description} />
                </>
              }
              gauge={
                compares ? null : (
                  <ContextGauge
                    form={composerForm}
                    path={path}
                    systemMessage={conversation?.systemMessage ?? null}
                    connectionId={connectionId}
                    model={model}
                    request={ready?.request ?? null}
                  />
                )
              }
              onBusyChange={sender.setComposerBusy}
              onAdd={sender.add}
            />
          </ChatRequestFields>
        </div>
      </div>
      {!compares && (
        <NextRequestOffer
          key={visit}
          conversation={conversation}
          path={path}
          options={options}
          ready={ready}
          form={composerForm}
          blocked={run.blocked}
          connection={run.connection}
        />
      )}
      <OptionEditors form={composerForm} options={options} tools={tools} onChange={changeOptions} />
    </PanelFrame>
  );
}
