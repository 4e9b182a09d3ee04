/** Splits a pasted chat request into a conversation's messages, options and settings. */
import type { ConversationOptions, ToolChoice, WrittenMessage } from '../conversation.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { type BuiltInChoice, readBuiltInTool } from '../operations/chat/built-in-tools.ts';
import { chatOperation } from '../operations/chat/chat.ts';
import {
  contentPartSchema,
  roleSchema,
  type Tool,
  toolCallSchema,
  toolSchema,
} from '../operations/chat/message.ts';
import { listWritten } from '../operations/field-table.ts';
import { FORMAT } from '../operations/formats.ts';
import type { SentInput } from '../operations/write-request.ts';

export interface PastedConversation {
  systemMessage: string;
  tools: Tool[];
  options: Pick<
    ConversationOptions,
    'builtInTools' | 'toolChoice' | 'responseFormat' | 'providerFields'
  >;
  messages: WrittenMessage[];
  /** The last message if the user wrote it, to put into the composer; null otherwise. */
  draft: WrittenMessage | null;
  /** The parameters, excluding everything that the conversation stores. */
  settings: SentInput;
  /** Names of message fields that a conversation can't store. */
  lost: string[];
}

/** Message fields of all formats, which the conversation writes itself. */
const CONVERSATION_FIELDS = [chatOperation, ...(chatOperation.formats ?? [])].flatMap(
  ({ fields = {} }) => listWritten(fields, 'messages'),
);

export function toConversation({ request, extraBody, wireNames }: SentInput): PastedConversation {
  const { messages, tools, tool_choice: choice, response_format: format, ...others } = request;
  const lost = new Set<string>();
  const written = listObjects(messages).map((message) => toWritten(message, lost));
  const system = written[0]?.role === 'system' ? toPlainText(written[0], lost) : null;
  const rest = system === null ? written : written.slice(1);
  const last = rest.at(-1);
  const draft = last?.role === 'user' ? last : null;
  const chosen = readTools(tools, request[FORMAT]);
  const hasTools = chosen.tools.length + chosen.builtInTools.length > 0;
  const toolChoice = hasTools ? toToolChoice(choice) : null;
  const more = Object.entries(extraBody).filter(([name]) => {
    const isConversation = CONVERSATION_FIELDS.includes(name);
    if (isConversation && lost.size === 0) lost.add(name);
    return !isConversation;
  });
  return {
    systemMessage: system ?? '',
    tools: chosen.tools,
    options: {
      builtInTools: chosen.builtInTools,
      toolChoice,
      responseFormat: isJsonObject(format) ? format : null,
      providerFields: rest.some(({ reasoning }) => reasoning !== undefined)
        ? 'always'
        : 'automatic',
    },
    messages: draft === null ? rest : rest.slice(0, -1),
    draft,
    settings: {
      request: others,
      extraBody: {
        ...Object.fromEntries(more),
        ...(tools !== undefined && !hasTools && { tools }),
        ...(choice !== undefined && toolChoice === null && { tool_choice: choice }),
      },
      wireNames,
    },
    lost: [...lost],
  };
}

interface ReadTools {
  tools: Tool[];
  builtInTools: BuiltInChoice[];
}

/** Returns no tools if one of them is neither a function nor a tool that the options can turn on. */
function readTools(tools: JsonValue | undefined, format: JsonValue | undefined): ReadTools {
  const read: ReadTools = { tools: [], builtInTools: [] };
  for (const tool of Array.isArray(tools) ? tools : []) {
    const called = toolSchema.safeParse(tool).data;
    const builtIn = readBuiltInTool(tool, format);
    if (called !== undefined) read.tools.push(called);
    else if (builtIn !== null) read.builtInTools.push(builtIn);
    else return { tools: [], builtInTools: [] };
  }
  return read;
}

const KNOWN_FIELDS = new Set([
  ...['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'reasoning_content', 'reasoning'],
]);

function toWritten(message: JsonObject, lost: Set<string>): WrittenMessage {
  const { role, content, name, tool_calls: calls, tool_call_id: callId } = message;
  const reasoning = message.reasoning_content ?? message.reasoning;
  for (const field of Object.keys(message)) if (!KNOWN_FIELDS.has(field)) lost.add(field);
  const toolCalls = listObjects(calls).flatMap((call) => toToolCall(call, lost));
  return {
    role: roleSchema.safeParse(role).data ?? 'tool',
    content: toContent(content, lost),
    ...(typeof name === 'string' && { name }),
    ...(callId !== undefined && { toolCallId: String(callId) }),
    ...(role === 'assistant' && typeof reasoning === 'string' && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

function toContent(content: JsonValue | undefined, lost: Set<string>): WrittenMessage['content'] {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content.flatMap((part) => {
    const read = contentPartSchema.safeParse(part);
    if (!read.success) lost.add(isJsonObject(part) ? String(part.type) : 'content');
    return read.success ? [read.data] : [];
  });
}

/** A custom call repeats its name and input as a function, as answers do. */
function toToolCall(call: JsonObject, lost: Set<string>) {
  const { custom } = call;
  const called = isJsonObject(custom)
    ? { ...call, function: { name: custom.name ?? '', arguments: custom.input ?? '' } }
    : call;
  const read = toolCallSchema.safeParse({ ...called, id: String(call.id ?? '') });
  if (!read.success) lost.add('tool_calls');
  return read.success ? [read.data] : [];
}

/** Returns null for a system message with more than text. */
function toPlainText({ content }: WrittenMessage, lost: Set<string>): string | null {
  if (typeof content === 'string') return content;
  for (const field of content.flatMap((part) => Object.keys(part))) {
    if (field !== 'type' && field !== 'text') lost.add(field);
  }
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n') : null;
}

function toToolChoice(choice: JsonValue | undefined): ToolChoice | null {
  if (choice === 'none' || choice === 'auto' || choice === 'required') return choice;
  const called = isJsonObject(choice) ? choice.function : undefined;
  return isJsonObject(called) && typeof called.name === 'string' ? { name: called.name } : null;
}

function listObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
