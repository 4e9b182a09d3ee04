/** Types and text helpers of the simulated language models. */
import type { JsonObject } from '../../../shared/json.ts';
import { getText, type Message } from '../../../shared/operations/chat/message.ts';
import type { Descriptions } from '../media/inspect-media.ts';
import type { Random } from './random.ts';

export interface Question {
  messages: Message[];
  /** Set for a text completion, whose prompt is the only message. */
  completion: { suffix: string } | null;
  /** The whole body except messages and prompt, unknown fields included. */
  parameters: JsonObject;
  /** Empty for models that don't describe media. */
  descriptions: Descriptions;
  reasoningEffort: 'low' | 'medium' | 'high';
  /** From 0. */
  choice: number;
  /** Null for the first choice without a seed, which never varies. */
  random: Random | null;
}

export interface LanguageModel {
  id: string;
  description: string;
  tokensPerSecond: number;
  /** Time before the first token. */
  delayMs: number;
  /** Returns 429 for every other call. */
  limited?: true;
  /** Closes the connection halfway. */
  flaky?: true;
  /** Calls every tool instead of one. */
  callsAllTools?: true;
  looksAtMedia?: true;
  /** Answers tool results itself instead of summarizing them. */
  readsToolResults?: true;
  answer: (question: Question) => { reasoning?: string; content: string };
}

export function lastUserText(messages: readonly Message[]): string {
  const message = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  return message === undefined ? '' : getText(message.content);
}

/** Returns the tool messages after the last user message. */
export function pendingToolResults(messages: readonly Message[]): Message[] {
  const start = messages.findLastIndex(({ role }) => role === 'user') + 1;
  return messages.slice(start).filter(({ role }) => role === 'tool');
}

/** Returns one line of at most `length` characters. */
export function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${[...line].slice(0, length - 1).join('')}…`;
}

const TOKEN = / ?[\p{L}\p{M}]{1,12}| ?\p{N}{1,3}| ?[^\s\p{L}\p{M}\p{N}]{1,4}|\n+|[^\S\n]+/gu;

export function splitTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

export function countTokens(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(TOKEN)) count += 1;
  return count;
}
