/** Types and text helpers for the simulated language models. */
import type { JsonObject } from '../../../shared/json.ts';
import { getContentText, type Message } from '../../../shared/operations/chat/message.ts';
import type { Descriptions } from '../media/inspect-media.ts';
import type { Random } from './random.ts';

export interface Question {
  messages: Message[];
  completion: { suffix: string } | null;
  parameters: JsonObject;
  descriptions: Descriptions;
  reasoningEffort: string;
  choice: number;
  /** Null for the first choice without a seed, so that its answer never varies. */
  random: Random | null;
}

export interface LanguageModel {
  id: string;
  description: string;
  tokensPerSecond: number;
  delayMs: number;
  limited?: true;
  flaky?: true;
  callsAllTools?: true;
  looksAtMedia?: true;
  readsToolResults?: true;
  /** Signs tool calls and reasoning, and requires clients to send tool call signatures back. */
  signs?: true;
  /** Adds sources, log probabilities and an unknown field to the answer. */
  cites?: true;
  /** Honors fields that other models don't know, unless its honesty (honesty.ts) withholds them. */
  honest?: true;
  answer: (question: Question) => { reasoning?: string; content: string };
  /** The paragraphs of a completion; if undefined, a completion is `answer` after a blank line. */
  proseParagraphs?: number;
}

export function getLastUserText(messages: readonly Message[]): string {
  const message = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  return message === undefined ? '' : getContentText(message.content);
}

/** The media of results may follow them in a user message. */
export function listPendingToolResults(messages: readonly Message[]): Message[] {
  const start =
    messages.findLastIndex(
      ({ role, content }, at) =>
        role === 'user' && !(messages[at - 1]?.role === 'tool' && hasMedia(content)),
    ) + 1;
  return messages.slice(start).filter(({ role }) => role === 'tool');
}

function hasMedia(content: Message['content']): boolean {
  return Array.isArray(content) && content.some(({ type }) => type !== 'text');
}

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
