/** Decides who answers each tool call of an answer. */
import type { ConversationOptions } from './conversation.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { readArguments } from './operations/chat/call-arguments.ts';
import type { ToolCall } from './operations/chat/message.ts';
import type { SavedTool } from './saved-items.ts';
import { answeredByYou, type ToolAnswer } from './tool-answer.ts';

export interface ServerTool {
  serverId: string;
  server: string;
  /** The tool's name on the server, which may differ from the name sent to models. */
  name: string;
}

export type AnswerPlan =
  | { kind: 'you' }
  | { kind: 'answer'; answer: Exclude<ToolAnswer, { by: 'you' }>; args: JsonObject }
  | { kind: 'server'; tool: ServerTool; args: JsonObject }
  | { kind: 'error'; message: string };

interface Tools {
  options: Pick<ConversationOptions, 'toolIds' | 'rejectsBadCalls'>;
  saved: readonly SavedTool[];
  /** Finds the tool of an MCP server that the conversation uses under this name. */
  findServerTool: (name: string) => ServerTool | null;
  /** Returns why the arguments don't fit the tool's schema; null if they do. */
  checkArguments: (args: JsonObject, schema: JsonObject) => Promise<string | null>;
}

/** `sent` holds the tools that the request offered to the model. */
export function planCalls(
  calls: readonly ToolCall[],
  sent: readonly JsonValue[],
  tools: Tools,
): Promise<AnswerPlan[]> {
  return Promise.all(
    calls.map((call, place) => planCall(call, calls.slice(0, place), sent, tools)),
  );
}

async function planCall(
  { id, function: called }: ToolCall,
  earlier: readonly ToolCall[],
  sent: readonly JsonValue[],
  { options, saved, findServerTool, checkArguments }: Tools,
): Promise<AnswerPlan> {
  const bad = (message: string): AnswerPlan =>
    options.rejectsBadCalls ? { kind: 'error', message } : { kind: 'you' };
  const { name } = called;
  const definition = findDefinition(sent, name);
  if (definition === null) return bad(`There is no tool named ${name}.`);
  if (earlier.some((other) => other.id === id)) {
    return bad(`Another call of this answer has the same ID, ${id}.`);
  }
  const args = readArguments(called.arguments);
  if (args === null) return bad('The arguments aren’t a JSON object.');
  const own = saved.find(
    (one) => options.toolIds.includes(one.id) && one.tool.function.name === name,
  );
  const answer = own?.answer ?? answeredByYou;
  const tool = own === undefined ? findServerTool(name) : null;
  if (answer.by === 'you' && tool === null) return { kind: 'you' };
  const problem = await checkArguments(args, definition);
  if (problem !== null) return bad(`The arguments don’t fit the schema. ${problem}`);
  if (answer.by !== 'you') return { kind: 'answer', answer, args };
  return tool === null ? { kind: 'you' } : { kind: 'server', tool, args };
}

/** Returns the parameters' schema, or null if the request had no such tool. */
function findDefinition(sent: readonly JsonValue[], name: string): JsonObject | null {
  for (const tool of sent) {
    const definition = isJsonObject(tool) && isJsonObject(tool.function) ? tool.function : null;
    if (definition?.name !== name) continue;
    return isJsonObject(definition.parameters) ? definition.parameters : {};
  }
  return null;
}
