/** Creates the session of the shown chat, and keeps its state current. */
import { createRef, useLayoutEffect, useMemo, useState } from 'react';
import { createStore } from 'zustand';
import type { WrittenMessage } from '../../../shared/conversation.ts';
import { importPart } from '../../lib/import-part.ts';
import { useComparing } from '../../run/compare/use-comparing.ts';
import { getConversationForm } from '../../run/form/panel-forms.ts';
import { createPanelBlock } from '../../run/form/run-block.ts';
import { getTextRun } from '../../run/form/text-source.ts';
import { useForm } from '../../run/form/use-form.ts';
import { useReadyRun } from '../../run/form/use-ready-run.ts';
import type { ColumnsTurn } from './columns/column-actions.ts';
import {
  addMessage,
  queueMessage,
  sendMessage,
  stopRun,
  stopTurns,
} from './conversation/chat-actions.ts';
import { useChat } from './conversation/chat-store.ts';
import {
  type ComposerForm,
  clearMessage,
  getMessage,
  isEmpty,
  toMessage,
  useComposerLoaded,
} from './conversation/composer-form.ts';
import { getTurns, useActiveRunId, useConversation } from './conversation/use-conversation.ts';
import { getDetailsProblem } from './conversation/written-message.ts';
import { changeOptions, useKnownTools, useOptions } from './options/use-options.ts';
import type { ChatSession, ChatView } from './session/chat-session.ts';
import { comparedChat } from './session/compared-chat.ts';
import {
  findOpenToolCallId,
  forgetResults,
  getOpenToolCalls,
  splitResults,
} from './session/open-tool-calls.ts';
import { getRequestOptions, ownedFields } from './session/request-options.ts';

/** Returns a new session whenever another conversation is opened. */
export function useStartSession(): ChatSession {
  const visit = useChat((chat) => chat.visit);
  const now = useCurrentState();
  const [session, setSession] = useState(() => createSession(visit, now));
  if (session.visit !== visit) setSession(createSession(visit, now));
  const { state } = session;
  // Runs before paint, so that the parts of the panel never show different states.
  useLayoutEffect(() => state.setState(now, true), [state, now]);
  return session;
}

function useCurrentState(): ChatView {
  const conversationId = useChat((chat) => chat.selectedId);
  const isNew = conversationId === null;
  const form = getConversationForm(conversationId);
  const view = useConversation(conversationId);
  const { conversation, path } = view;
  const tools = useKnownTools();
  const options = useOptions(conversation, isNew);
  const run = useReadyRun(form, ownedFields);
  const ready = useMemo(
    () =>
      run.ready && {
        ...run.ready,
        request: {
          ...run.ready.request,
          ...getRequestOptions(options, tools, run.ready.request.format),
        },
      },
    [run.ready, options, tools],
  );
  const compare = useComparing(form, comparedChat);
  const { isOn: compares, comparisonId } = compare;
  const activeRunId = useActiveRunId(path);
  const { turn, isWorking, problem: turnProblem } = getTurns(conversation, path);
  const openCalls = useMemo(() => (compares ? null : getOpenToolCalls(path)), [path, compares]);
  const showsColumns = compares && comparisonId !== null && conversation !== null;
  const isLoaded = useComposerLoaded(form);
  const isMessageEmpty = useForm(form, ({ input }) => isEmpty(input));
  const problem = useForm(form, ({ input }) => getDetailsProblem(input.role, input));
  const isBusy = useChat((chat) => chat.composerBusy);
  const last = path.at(-1);
  const canAnswer = !showsColumns && last !== undefined && last.role !== 'assistant';
  const isNothing = isMessageEmpty && openCalls === null && !canAnswer;
  return {
    ...view,
    conversationId,
    form,
    options,
    tools,
    run,
    ready,
    compare,
    showsColumns,
    activeRunId,
    turn,
    isWorking,
    turnProblem,
    running: (compares && compare.running) || activeRunId !== null || isWorking,
    queuesAfter: isNew || compares ? null : (activeRunId ?? turn?.runId ?? null),
    openCalls,
    blocked:
      (compares ? compare.blocked : run.blocked) ??
      createPanelBlock(isLoaded ? null : 'Gatehouse is still loading.') ??
      createPanelBlock(isBusy ? 'Wait for attachments to finish uploading.' : null) ??
      createPanelBlock(isNothing ? 'Enter a message first.' : problem),
    addReason: isMessageEmpty
      ? 'Enter a message first.'
      : compares
        ? 'Turn off Compare to add a message without running.'
        : problem,
  };
}

function createSession(visit: number, initial: ChatView): ChatSession {
  const state = createStore(() => initial);
  return {
    visit,
    state,
    log: createRef(),

    async send(insist) {
      const now = state.getState();
      const { form, path, openCalls, blocked } = now;
      if (blocked !== null) return;
      const input = getMessage(form);
      const message = toMessage(input, findOpenToolCallId(path));
      const results = getResults(now, insist);
      if (results === null) return;
      const all = message === null ? results : [...results, message];
      const sourceRunId = getTextRun(form, message);
      const isSent = await deliver(now, all.at(-1) ?? null, all.slice(0, -1), sourceRunId);
      if (!isSent) return;
      if (message !== null) clearMessage(form, input, getFormAfterSend(form));
      if (openCalls !== null) forgetResults(form, openCalls);
      useChat.setState({ warned: null });
    },

    async add() {
      const { form, path } = state.getState();
      const input = getMessage(form);
      const message = toMessage(input, findOpenToolCallId(path));
      if (message === null || !(await addMessage(getLastId(path), message))) return;
      clearMessage(form, input, getFormAfterSend(form));
    },

    sendExample(message, options, saved) {
      const now = state.getState();
      const tools = { ...now.tools, saved };
      if (now.compare.isOn) {
        void sendCompared(now, {
          message,
          sourceRunId: null,
          options,
          tools,
          ownsOptions: true,
        });
      } else if (now.run.ready !== null) {
        const known = now.run.ready.request;
        const request = { ...known, ...getRequestOptions(options, tools, known.format) };
        void sendMessage({ ...now.run.ready, request }, null, message, [], options);
      }
    },

    stop() {
      const { conversationId, compare, activeRunId, isWorking } = state.getState();
      if (conversationId !== null && isWorking) void stopTurns(conversationId);
      if (compare.isOn && compare.running) void compare.stop();
      else if (activeRunId !== null) void stopRun(activeRunId);
    },

    changeOptions: (change) => changeOptions(state.getState().conversationId, change),
  };
}

/** A null message requests an answer to the last message. Resolves to true once recorded. */
function deliver(
  now: ChatView,
  message: WrittenMessage | null,
  earlier: WrittenMessage[],
  /** The run whose result begins the message. */
  sourceRunId: string | null,
): Promise<boolean> | boolean {
  const { conversationId, compare, ready, options, tools, queuesAfter, path } = now;
  if (compare.isOn) {
    return sendCompared(now, { message, sourceRunId, options, tools, ownsOptions: false });
  }
  if (ready === null) return false;
  if (conversationId === null || queuesAfter === null) {
    return sendMessage({ ...ready, sourceRunId }, getLastId(path), message, earlier);
  }
  if (message === null) return false;
  return queueMessage(conversationId, { ...ready, sourceRunId }, message, queuesAfter);
}

type ComparedTurn = Pick<
  ColumnsTurn,
  'message' | 'sourceRunId' | 'options' | 'tools' | 'ownsOptions'
>;

/** Loads the columns on first use. */
async function sendCompared(
  { form, run, compare, path }: ChatView,
  turn: ComparedTurn,
): Promise<boolean> {
  const { sendToColumns } = await importPart(() => import('./columns/column-actions.ts'));
  const { connection, model } = run;
  const request = model === '' ? {} : { model };
  return sendToColumns({
    ...turn,
    form,
    comparisonId: compare.comparisonId,
    lastId: getLastId(path),
    target: connection && { connectionId: connection.id, request },
  });
}

/** Returns null and shows a warning if results are missing, unless the user insists. */
function getResults({ form, path, openCalls }: ChatView, insist: boolean): WrittenMessage[] | null {
  if (openCalls === null) return [];
  const { results, missing } = splitResults(openCalls, form.state.getState().values.results);
  if (missing.length === 0 || insist) return results;
  useChat.setState({ warned: { answerId: getLastId(path) } });
  return null;
}

/** Returns the form of the conversation that this send created, or `form` if it created none. */
function getFormAfterSend(form: ComposerForm): ComposerForm {
  const { createdId } = useChat.getState();
  return createdId === null ? form : getConversationForm(createdId);
}

function getLastId(path: ChatView['path']): string | null {
  return path.at(-1)?.id ?? null;
}
