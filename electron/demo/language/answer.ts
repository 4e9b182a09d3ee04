/** The question to a simulated language model, and its answer before limits apply. */
import type { JsonObject } from '../../../shared/json.ts';
import type { Message } from '../../../shared/operations/chat/message.ts';
import { getText } from '../../../shared/operations/chat/text.ts';
import type { Descriptions } from './describe-parts.ts';
import type { Random } from './random.ts';

/** A chat or completion request, reduced to what the models look at. */
export interface Question {
  messages: Message[];
  /** Set for text completion: the prompt is the one message, this follows the gap. */
  completion: { suffix: string } | null;
  /** The whole body as received, except messages and prompt: unknown fields too. */
  parameters: JsonObject;
  /** What was found in the media of the messages; empty for models that do not describe media. */
  descriptions: Descriptions;
  reasoningEffort: 'low' | 'medium' | 'high';
  /** From 0; choices of one request differ. */
  choice: number;
  /** Null for the first choice without a seed: the draw that never changes. */
  random: Random | null;
}

export interface LanguageModel {
  id: string;
  /** What it does, in a few words for the list of models. */
  description: string;
  tokensPerSecond: number;
  /** Before the first token. */
  delayMs: number;
  /** Refuses every other call with 429. */
  limited?: true;
  /** Breaks off in the middle. */
  flaky?: true;
  /** Calls every tool it is offered, not one. */
  callsAllTools?: true;
  /** Describes the media of the messages. */
  looksAtMedia?: true;
  /** Answers tool results in its own way instead of summing them up. */
  readsToolResults?: true;
  answer: (question: Question) => { reasoning?: string; content: string };
}

export function lastUserText(messages: readonly Message[]): string {
  const message = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  return message === undefined ? '' : getText(message.content);
}

/** The tool messages after the last user message. */
export function pendingToolResults(messages: readonly Message[]): Message[] {
  const start = messages.findLastIndex(({ role }) => role === 'user') + 1;
  return messages.slice(start).filter(({ role }) => role === 'tool');
}

/** One line of at most `length` characters. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${[...line].slice(0, length - 1).join('')}…`;
}
