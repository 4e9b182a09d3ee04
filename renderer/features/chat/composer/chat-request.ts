/** Describes the next request of a conversation to the JSON and Code views. */
import { useQuery } from '@tanstack/react-query';
import type { WrittenMessage } from '../../../../shared/conversation.ts';
import type { FormValues } from '../../../../shared/form.ts';
import { isSameJson, type JsonObject } from '../../../../shared/json.ts';
import {
  type BranchMessage,
  buildChatMessages,
} from '../../../../shared/operations/chat/history.ts';
import { describeOperation } from '../../../../shared/operations/form/describe.ts';
import { FORMAT } from '../../../../shared/operations/formats.ts';
import type { OperationName } from '../../../../shared/operations/operation-name.ts';
import { getParamValue } from '../../../../shared/param.ts';
import { api } from '../../../lib/api.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import { useRequestView } from '../../../run/form/request-views.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { withoutFields } from '../../../run/form/validate-form.ts';
import type { ViewedRequest } from '../../../run/views/viewed-request.ts';
import { replaceSystemMessage } from '../conversation/chat-actions.ts';
import { useChat } from '../conversation/chat-store.ts';
import { toMessage } from '../conversation/composer-form.ts';
import { systemMessages } from '../conversation/save-system-message.ts';
import { useChatSession, useChatState } from '../session/chat-session.ts';
import { findOpenToolCallId, getOpenToolCalls, splitResults } from '../session/open-tool-calls.ts';
import { getRequestOptions, ownedFields } from '../session/request-options.ts';
import { buildNextRequest } from './next-request.tsx';
import { readOptions, splitMessages } from './read-chat-body.ts';

const described = withoutFields(describeOperation('chat'), ownedFields);
/** These fields hold the conversation's messages, so they never become extra body fields. */
const fixed: ReadonlySet<string> = new Set(['messages', 'input', 'system', 'instructions']);

export function useChatRequest(): ViewedRequest {
  const { form, conversation, path, options, tools, ready, run } = useChatState((chat) => chat);
  const { changeOptions } = useChatSession();
  const id = conversation?.id ?? null;
  const lastId = path.at(-1)?.id ?? null;
  const revision = conversation?.revision ?? '';
  const format = useForm(form, ({ params }) => getParamValue(params, FORMAT));
  const { providerFields } = options;
  const input = {
    parentId: lastId,
    providerFields,
    request: format === undefined ? {} : { format },
  };
  const isShown = useRequestView('chat') === 'json';
  const { data: sent } = useQuery({
    queryKey: ['sent-messages', id, input, revision],
    queryFn: ({ signal }) => api.conversations.sentMessages(input, { signal }),
    enabled: lastId !== null && isShown,
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
    gcTime: 0,
  });
  const edition = useChat((state) => state.systemMessageEdition);
  const newSystemMessage = useForm(
    getConversationForm(null),
    (values) => values.input.systemMessage,
  );
  const savedSystemMessage = conversation?.systemMessage ?? '';
  const system =
    id === null ? newSystemMessage : (systemMessages.getUnsaved(id) ?? savedSystemMessage);
  const earlier = lastId === null ? [] : (sent ?? []);
  const openId = findOpenToolCallId(path);
  const writeMessages = (written: readonly WrittenMessage[]) =>
    buildChatMessages('', written.map(toBranchMessage), {
      providerFields,
      format,
      now: Date.now() / 1000,
    });
  const getEarlier = ({ results }: Pick<FormValues<OperationName>, 'results'>) => [
    ...earlier,
    ...writeMessages(splitResults(getOpenToolCalls(path) ?? [], results).results),
  ];
  const getNext = () => {
    const message = toMessage(form.state.getState().values.input, openId);
    return message === null ? [] : writeMessages([message]);
  };
  const first: JsonObject[] = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  const split = (request: JsonObject) =>
    splitMessages(request, getEarlier(form.state.getState().values), format);
  const known = getRequestOptions(options, tools, format);
  return {
    form,
    described,
    getOwn: (values) => ({ messages: [...first, ...getEarlier(values), ...getNext()], ...known }),
    hold(request) {
      const held = { ...options, ...readOptions(request, options, tools, format) };
      const others = Object.entries(request).filter(([name]) => !ownedFields.includes(name));
      return { ...Object.fromEntries(others), ...getRequestOptions(held, tools, format) };
    },
    writeOwn(own) {
      const { messages, ...others } = own;
      if (!isSameJson(others, known)) void changeOptions(readOptions(own, options, tools, format));
      const read = split({ messages: messages ?? [] });
      if (read.problem !== null) return;
      if (read.system !== system) writeSystemMessage(id, read.system);
      if (!isSameJson(read.sent, getNext())) form.change({ input: read.input }, { typing: true });
    },
    findProblem(request) {
      const { problem, sent: next, input: draft } = split(request);
      if (problem !== null) return { message: problem, severity: 'error' };
      const written = toMessage({ ...form.state.getState().values.input, ...draft }, openId);
      const kept = written === null ? [] : writeMessages([written]);
      const message = 'The composer holds one text, then attachments. Other parts are left out.';
      return isSameJson(kept, next) ? null : { message, severity: 'warning' };
    },
    getSent: (values) => ({ from: first.length, count: getEarlier(values).length }),
    fixed,
    isLoaded: lastId === null || sent !== undefined,
    revision: `${id} ${lastId}`,
    preview: getPreview(),
  };

  function getPreview(): ViewedRequest['preview'] {
    const { values } = form.state.getState();
    const next = buildNextRequest({
      ready,
      path,
      providerFields,
      systemMessage: system,
      reason: run.blocked?.reason ?? null,
      draft: values.input,
      results: values.results,
      basis: [revision, edition],
    });
    if ('blocked' in next) return next;
    const load = (signal: AbortSignal) => api.conversations.nextRequest(next.input, { signal });
    return { key: ['chat', next.input, next.basis], load };
  }
}

function toBranchMessage(message: WrittenMessage): BranchMessage {
  const { role, content, name, toolCallId, reasoning, toolCalls = [] } = message;
  return {
    role,
    content,
    toolCalls,
    callRecord: null,
    audio: null,
    wire: null,
    name: name ?? null,
    toolCallId: toolCallId ?? null,
    reasoning: reasoning ?? null,
  };
}

function writeSystemMessage(id: string | null, systemMessage: string): void {
  if (id !== null) replaceSystemMessage(id, systemMessage);
  else getConversationForm(null).change({ input: { systemMessage } }, { typing: true });
}
