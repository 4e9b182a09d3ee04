/** Sends chat requests in one format and folds the responses. */
import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { toAnswerContent } from '../../../shared/operations/chat/answer-parts.ts';
import { viewAnswer } from '../../../shared/operations/chat/answer-view.ts';
import { chatOperation } from '../../../shared/operations/chat/chat.ts';
import { buildChatMessages, toStoredCalls } from '../../../shared/operations/chat/history.ts';
import type { ChatChoice, ChatState } from '../../../shared/operations/chat/state.ts';
import { toHttp } from '../../../shared/operations/write-request.ts';
import type { RunEventBody } from '../../../shared/run.ts';
import { foldAll } from './fold-events.ts';

export const user = { role: 'user', content: 'Go' };

/** Makes a tool with `fields`, a choice of the tool, or a call with `fields` as its arguments. */
export function fn(name: string, fields: JsonObject = {}): JsonObject {
  return { type: 'function', function: { name, ...fields } };
}

const plain = {
  name: null,
  toolCallId: null,
  callRecord: null,
  audio: null,
  wire: null,
  reasoning: null,
};

export function openFormat(name: string, model: string) {
  const format = chatOperation.formats?.find((one) => one.name === name) ?? expect.fail(name);
  const { initialState } = chatOperation;

  function send(request: JsonObject, extraBody: JsonObject = {}) {
    const fields = { format: name, model, messages: [user], ...request };
    return toHttp(chatOperation, { request: fields, extraBody, wireNames: {} });
  }

  function fold(...events: RunEventBody[]): ChatState {
    return foldAll({ fold: format.fold, initialState }, events);
  }

  function getChoice({ choices: [choice] }: ChatState): ChatChoice {
    return choice ?? expect.fail('No choice');
  }

  /**
   * Returns “Go”, the answer and a result for each call, all repeated, as the format sends them.
   */
  function repeat(choice: ChatChoice, callIds: string[], toFormat: string | undefined = name) {
    const { content, parts, reasoning, toolCalls } = viewAnswer(choice);
    const asked = { ...plain, role: 'user' as const, content: 'Go', toolCalls: [] };
    const round = [
      {
        ...plain,
        role: 'assistant' as const,
        content: toAnswerContent(content, parts),
        reasoning,
        toolCalls: toStoredCalls(choice.message, toolCalls),
        wire: { format: name, message: choice.message },
      },
      ...callIds.map((toolCallId) => ({ ...asked, role: 'tool' as const, toolCallId })),
    ];
    const options = { providerFields: 'automatic' as const, now: 0 };
    return buildChatMessages('', [asked, ...round, ...round], { ...options, format: toFormat });
  }

  return {
    send,
    sendMessages: (...messages: JsonValue[]) => send({ messages }).body,
    rest: format.rest,
    fold,
    getChoice,
    repeat,
    view: (state: ChatState) => viewAnswer(getChoice(state)),
  };
}
