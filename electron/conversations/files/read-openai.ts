/**
 * Reads OpenAI's JSON Lines, one conversation a line: `{"messages": […], "tools": […]}` as for
 * fine-tuning, the same with `input`, `preferred_output` and `non_preferred_output` for preferences,
 * and requests of the Batch API with `body`. A single request body is read as well.
 * See https://platform.openai.com/docs/guides/supervised-fine-tuning, …/direct-preference-optimization
 * and https://platform.openai.com/docs/api-reference/batch/request-input.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defaultConversationOptions } from '../../../shared/conversation.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { jsonValueSchema } from '../../../shared/json-schema.ts';
import { FUNCTION_CALL_ID } from '../../../shared/operations/chat/answer-view.ts';
import {
  contentSchema,
  roleSchema,
  type Tool,
  type ToolCall,
  toolSchema,
} from '../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../shared/saved-items.ts';
import { answeredByYou } from '../../../shared/tool-answer.ts';
import {
  type ConversationFile,
  createFileConversation,
  createFileMessage,
  createForeignFile,
  describeIssue,
  type FileConversation,
  type FileMessage,
  importError,
} from './conversation-file.ts';

const callSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String).optional(),
  function: z.looseObject({ name: z.string(), arguments: z.string().default('') }),
});

const messageSchema = z.object({
  role: z.union([roleSchema, z.literal('function')]),
  content: contentSchema.nullable().default(null),
  name: z.string().nullish(),
  tool_calls: z.array(callSchema).nullish(),
  function_call: callSchema.shape.function.nullish(),
  tool_call_id: z.union([z.string(), z.number()]).transform(String).nullish(),
  reasoning_content: z.string().nullish(),
  refusal: z.string().nullish(),
});
type OpenAiMessage = z.infer<typeof messageSchema>;

const messagesSchema = z.array(messageSchema);

const lineSchema = z.object({
  messages: messagesSchema,
  tools: z.array(z.union([toolSchema, jsonValueSchema.transform(() => null)])).nullish(),
  preferred: messagesSchema.default([]),
  rejected: messagesSchema.default([]),
});

export function isOpenAiFile(first: JsonObject): boolean {
  return getMessages(first) !== undefined;
}

function getMessages({ messages, input, body }: JsonObject) {
  const inside = [input, body].find(isJsonObject);
  return messages ?? inside?.messages;
}

/** Throws a `UserFacingError` that names the line if one of them is invalid. */
export function readOpenAiFile(lines: readonly JsonObject[]): ConversationFile {
  const tools = new Map<string, SavedTool>();
  const createdAt = Date.now();

  function getToolId(tool: Tool): string {
    const key = JSON.stringify(tool);
    const known = tools.get(key) ?? { id: randomUUID(), tool, answer: answeredByYou };
    tools.set(key, known);
    return known.id;
  }

  const conversations = lines.map((line, index): FileConversation => {
    const { success, data, error } = lineSchema.safeParse({
      messages: getMessages(line),
      tools: line.tools ?? [line.input, line.body].find(isJsonObject)?.tools,
      preferred: line.preferred_output,
      rejected: line.non_preferred_output,
    });
    if (!success)
      throw importError(`Line ${index + 1} isn’t valid. ${describeIssue(error.issues)}`);
    const [first, ...rest] = data.messages;
    const isSystem = first?.role === 'system' && typeof first.content === 'string';
    const chain = readChain(isSystem ? rest : data.messages, null, createdAt);
    const end = chain.at(-1)?.id ?? null;
    const preferred = readChain(data.preferred, end, createdAt);
    const rejected = readChain(data.rejected, end, createdAt);
    return createFileConversation({
      title: '',
      createdAt,
      systemMessage: isSystem && typeof first.content === 'string' ? first.content : '',
      options: {
        ...defaultConversationOptions,
        toolIds: (data.tools ?? []).flatMap((tool) => (tool === null ? [] : getToolId(tool))),
      },
      messages: [...chain, ...preferred, ...rejected],
      activeLeafId: preferred.at(-1)?.id ?? end,
    });
  });
  return { ...createForeignFile(conversations), tools: [...tools.values()] };
}

function readChain(
  messages: readonly OpenAiMessage[],
  parentId: string | null,
  createdAt: number,
): FileMessage[] {
  const chain: FileMessage[] = [];
  for (const message of messages) {
    const last = chain.at(-1);
    const toolCallId =
      message.tool_call_id ?? (message.role === 'function' ? FUNCTION_CALL_ID : null);
    chain.push(
      createFileMessage({
        id: randomUUID(),
        parentId: last?.id ?? parentId,
        role: message.role === 'function' ? 'tool' : message.role,
        content: message.content ?? message.refusal ?? '',
        name: message.role === 'function' ? null : (message.name ?? null),
        reasoning: message.reasoning_content ?? null,
        toolCalls: readCalls(message),
        toolCallId,
        createdAt,
      }),
    );
  }
  return chain;
}

function readCalls({ tool_calls: calls, function_call: older }: OpenAiMessage): ToolCall[] {
  const all = [
    ...(calls ?? []),
    ...(older == null ? [] : [{ id: FUNCTION_CALL_ID, function: older }]),
  ];
  return all.map((call) => ({ ...call, id: call.id ?? randomUUID(), type: 'function' as const }));
}
