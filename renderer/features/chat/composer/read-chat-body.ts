/** Reads an edited chat body: the system message, the new message and the options. */
import { z } from 'zod';
import type {
  ConversationOptions,
  McpToolChoice,
  ToolChoice,
} from '../../../../shared/conversation.ts';
import {
  isJsonObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
  toJson,
} from '../../../../shared/json.ts';
import { readBuiltInTool } from '../../../../shared/operations/chat/built-in-tools.ts';
import { chatOperation } from '../../../../shared/operations/chat/chat.ts';
import {
  contentSchema,
  roleSchema,
  toolCallSchema,
} from '../../../../shared/operations/chat/message.ts';
import type { ChatInput } from '../../../../shared/operations/chat/request.ts';
import { decodeRequest } from '../../../../shared/operations/decode-request.ts';
import { writeBody } from '../../../../shared/operations/write-request.ts';
import { getAttachments, getTextParts } from '../conversation/written-message.ts';
import { getSentTools, type KnownTools } from '../session/request-options.ts';

type Draft = Omit<ChatInput, 'systemMessage' | 'options'>;

interface SplitMessages {
  system: string;
  /** The new message as written in the body; empty if there is none. */
  sent: JsonValue[];
  input: Draft;
  /** Explains why the messages can't be applied; null if they can. */
  problem: string | null;
}

const emptyDraft: Draft = {
  text: '',
  parts: [],
  role: 'user',
  name: '',
  toolCallId: '',
  reasoning: '',
  toolCalls: [],
};

/** Only the system message and one new message may differ from the conversation. */
export function splitMessages(
  { messages }: JsonObject,
  earlier: readonly JsonObject[],
  format: JsonValue | undefined,
): SplitMessages {
  const nothing = { system: '', sent: [], input: emptyDraft };
  if (!Array.isArray(messages)) {
    return { ...nothing, problem: 'The messages are missing, or have parts that Chat can’t hold.' };
  }
  const known = readAgain(earlier, format);
  const [first] = messages;
  const hasSystem = isJsonObject(first) && first.role === 'system' && !isSameJson(first, known[0]);
  const system = hasSystem ? readSystem(first.content) : '';
  if (system === null) return { ...nothing, problem: 'The system message can only have text.' };
  const rest = hasSystem ? messages.slice(1) : messages;
  if (!known.every((message, at) => isSameJson(message, rest[at]))) {
    return { ...nothing, problem: 'Earlier messages are edited in the conversation, not here.' };
  }
  const sent = rest.slice(known.length);
  const [message = null] = sent;
  if (sent.length > 1) {
    return {
      ...nothing,
      problem: 'Add one message at a time. To add more, paste the whole request.',
    };
  }
  const input = message === null ? emptyDraft : readDraft(message);
  if (input === null) {
    return { ...nothing, problem: 'This message has parts that Chat can’t hold.' };
  }
  return { system, sent, input, problem: null };
}

/** Returns the messages as parsed back from a request body, which may join or split them. */
function readAgain(messages: readonly JsonObject[], format: JsonValue | undefined): JsonValue[] {
  if (messages.length === 0) return [];
  const named = typeof format === 'string' ? { format } : {};
  const request = { ...named, model: 'm', messages: [...messages] };
  const body = writeBody(chatOperation, { request, extraBody: {}, wireNames: {} });
  const read = decodeRequest('chat', body, named).request.messages;
  return Array.isArray(read) ? read : [...messages];
}

function readSystem(content: JsonValue | undefined): string | null {
  const { data } = contentSchema.safeParse(content);
  if (data === undefined || getAttachments(data).length > 0) return null;
  return getTextParts(data);
}

const draftSchema = z.object({
  role: roleSchema,
  content: contentSchema.nullable(),
  name: z.string().catch(''),
  tool_call_id: z.coerce.string().catch(''),
  reasoning_content: z.string().catch(''),
  tool_calls: z.array(toolCallSchema).catch([]),
});

function readDraft(message: JsonValue): Draft | null {
  const { data } = draftSchema.safeParse(message);
  if (data === undefined) return null;
  const { role, content, name, reasoning_content: reasoning, tool_calls: toolCalls } = data;
  const parts = content ?? '';
  const isMissing = !isJsonObject(message) || message.tool_call_id === undefined;
  return {
    role,
    name,
    reasoning,
    toolCalls,
    toolCallId: isMissing ? '' : data.tool_call_id,
    text: getTextParts(parts),
    parts: getAttachments(parts),
  };
}

type OptionsOfBody = Pick<
  ConversationOptions,
  'toolIds' | 'mcpTools' | 'builtInTools' | 'toolChoice' | 'responseFormat'
>;

/** Turns on the tools with these definitions; if any is unknown, turns all tools off. */
export function readOptions(
  { tools, tool_choice: choice, response_format: responseFormat }: JsonObject,
  current: OptionsOfBody,
  known: KnownTools,
  format?: JsonValue,
): OptionsOfBody {
  const given = Array.isArray(tools) ? tools : [];
  const builtIn = given.flatMap((tool) => readBuiltInTool(tool, format) ?? []);
  const asSent = (list: readonly object[]) => readToolsAgain(list.map(toJson), format);
  const functions = given.filter((tool) => readBuiltInTool(tool, format) === null);
  const wanted = readToolsAgain(functions, format);
  const matches = (tool: object) =>
    asSent([tool]).some((sent) => wanted.some((one) => isSameJson(one, sent)));
  const toolIds = known.saved.filter(({ tool }) => matches(tool)).map(({ id }) => id);
  const mcpTools = listMcpTools(known).filter(({ tool }) => matches(tool));
  const on = { toolIds, mcpTools: mcpTools.map(({ choice: chosen }) => chosen) };
  const isWhole = isSameJson(asSent(getSentTools(on, known)), wanted);
  const isOff = given.length === 0 || !isWhole;
  const others = current.builtInTools.filter((one) => one.format !== format);
  return {
    ...(isOff ? { toolIds: [], mcpTools: [] } : on),
    builtInTools: isWhole ? [...others, ...builtIn] : others,
    // Keep the tool choice, because it isn't sent while tools are off.
    toolChoice: isOff ? current.toolChoice : readChoice(choice),
    responseFormat: isJsonObject(responseFormat) ? responseFormat : null,
  };
}

/** Returns the tools as parsed back from a request body, which has their schemas in its dialect. */
function readToolsAgain(tools: JsonValue[], format: JsonValue | undefined): JsonValue[] {
  if (tools.length === 0) return [];
  const named = typeof format === 'string' ? { format } : {};
  const request = { ...named, model: 'm', messages: [{ role: 'user', content: 'x' }], tools };
  const body = writeBody(chatOperation, { request, extraBody: {}, wireNames: {} });
  const read = decodeRequest('chat', body, named).request.tools;
  return Array.isArray(read) ? read : tools;
}

function listMcpTools(known: KnownTools): { choice: McpToolChoice; tool: object }[] {
  return known.servers.flatMap(({ id, offers }) =>
    offers.tools.flatMap(({ name }) => {
      const choice = { serverId: id, name };
      const [tool] = getSentTools({ toolIds: [], mcpTools: [choice] }, known);
      return tool === undefined ? [] : [{ choice, tool }];
    }),
  );
}

function readChoice(choice: JsonValue | undefined): ToolChoice | null {
  if (choice === 'none' || choice === 'auto' || choice === 'required') return choice;
  const called = isJsonObject(choice) ? choice.function : undefined;
  return isJsonObject(called) && typeof called.name === 'string' ? { name: called.name } : null;
}
