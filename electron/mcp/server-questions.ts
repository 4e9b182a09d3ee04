/**
 * Passes the questions of MCP servers (elicitations) to the user. Nothing is sent before the user
 * has answered, and no secret that Gatehouse keeps is ever sent.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { jsonObjectSchema } from '../../shared/json-schema.ts';
import { findSecretFields, type McpAnswer, type McpQuestion } from '../../shared/mcp-activity.ts';
import { cleanText } from './read-offers.ts';

/** More than the user could answer; the others are declined. */
const MAX_QUESTIONS = 10;
const MAX_MESSAGE_LENGTH = 4000;

/** The answer to a server; `cancel` if the user didn't choose. */
export type QuestionResult =
  | { action: 'accept'; content?: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

interface Asker {
  serverId: string;
  server: string;
  tool: string | null;
}

export interface ServerQuestions {
  /** Asks the user; declines what no user could answer safely. */
  ask(asker: Asker, params: unknown, signal: AbortSignal): Promise<QuestionResult>;
  /**
   * Ignores a question that has been answered. Throws a `UserFacingError` if the answer doesn't fit
   * the form, or has a secret.
   */
  answer(answer: McpAnswer): Promise<void>;
  list(): McpQuestion[];
}

interface QuestionsOptions {
  redact: (text: string) => string;
  /** Returns why the value doesn't fit the schema; null if it does. */
  checkValue: (value: JsonValue, schema: JsonObject, signal: AbortSignal) => Promise<string | null>;
  onChange: () => void;
}

interface Asked {
  question: McpQuestion;
  signal: AbortSignal;
  resolve: (result: QuestionResult) => void;
}

const urlParamsSchema = z.object({ mode: z.literal('url'), message: z.string(), url: z.string() });
const formParamsSchema = z.object({ message: z.string(), requestedSchema: jsonObjectSchema });
const contentSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

export function createServerQuestions(options: QuestionsOptions): ServerQuestions {
  const { redact, checkValue, onChange } = options;
  const asked = new Map<string, Asked>();

  function readQuestion(asker: Asker, params: unknown): McpQuestion | null {
    const base = { ...asker, id: randomUUID() };
    const clean = (text: string) => redact(cleanText(text)).slice(0, MAX_MESSAGE_LENGTH);
    const url = urlParamsSchema.safeParse(params).data;
    if (url !== undefined) {
      const target = URL.parse(url.url);
      if (target === null || !/^https?:$/.test(target.protocol)) return null;
      return { ...base, mode: 'url', message: clean(url.message), url: target.href };
    }
    const form = formParamsSchema.safeParse(params).data;
    if (form === undefined) return null;
    return { ...base, mode: 'form', message: clean(form.message), schema: form.requestedSchema };
  }

  async function readAnswer(
    { question, signal }: Asked,
    content: JsonObject,
  ): Promise<QuestionResult> {
    if (question.mode === 'url') return { action: 'accept' };
    const { server, schema } = question;
    if (findSecretFields(schema).length > 0) throw new UserFacingError(createSecretError(server));
    const text = JSON.stringify(content);
    if (redact(text) !== text) throw new UserFacingError(hasSecret(server));
    const problem = findMissing(schema, content) ?? (await checkValue(content, schema, signal));
    if (problem !== null) throw new UserFacingError(createMisfitError(problem));
    const { success, data } = contentSchema.safeParse(content);
    if (!success) throw new UserFacingError(createMisfitError('Its values can’t be nested.'));
    return { action: 'accept', content: data };
  }

  return {
    async ask(asker, params, signal) {
      const question = readQuestion(asker, params);
      const ofServer = [...asked.values()].filter(
        (one) => one.question.serverId === asker.serverId,
      );
      if (question === null || ofServer.length >= MAX_QUESTIONS) return { action: 'decline' };
      const { promise, resolve } = Promise.withResolvers<QuestionResult>();
      const cancel = () => resolve({ action: 'cancel' });
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
      asked.set(question.id, { question, signal, resolve });
      onChange();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', cancel);
        asked.delete(question.id);
        onChange();
      }
    },

    async answer({ questionId, content }) {
      const one = asked.get(questionId);
      if (one === undefined) return;
      one.resolve(content === null ? { action: 'decline' } : await readAnswer(one, content));
    },

    list: () => [...asked.values()].map(({ question }) => question),
  };
}

const requiredSchema = z.object({ required: z.array(z.string()) });

/** Returns a required field that is missing, even if the schema is too complex to be applied. */
function findMissing(schema: JsonObject, content: JsonObject): string | null {
  const { data } = requiredSchema.safeParse(schema);
  const missing = data?.required.find((name) => content[name] === undefined);
  return missing === undefined ? null : `It has no ${missing}.`;
}

function createSecretError(server: string) {
  const message = `${server} asks for a secret, which doesn’t belong in a form.`;
  return appError('invalid-request', message, 'Decline, and give it the secret in its settings.');
}

function hasSecret(server: string) {
  const message = `The form has a key or token that Gatehouse keeps, which ${server} must not get.`;
  return appError('invalid-request', message, 'Remove it, or decline.');
}

function createMisfitError(problem: string) {
  return appError('invalid-request', `The form isn’t complete. ${problem}`, 'Correct the form.');
}
