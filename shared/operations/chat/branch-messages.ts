/** The messages of a chat request, built from a conversation's branch. */
import type { JsonObject } from '../../json.ts';
import { toJson } from '../../to-json.ts';
import type { Content, Role, ToolCall } from './message.ts';

/** A message of the branch, from the root on. */
export interface BranchMessage {
  role: Role;
  content: Content;
  name: string | null;
  reasoning: string | null;
  toolCalls: ToolCall[];
  toolCallId: string | null;
  audio: { transcript: string } | null;
}

/**
 * As `messageSchema` wants them. A spoken answer goes back as its transcript. An answer of which nothing arrived (its run failed) is left out:
 * gateways reject an empty assistant message. Reasoning goes back only where the user wants it.
 */
export function buildChatMessages(
  systemMessage: string,
  path: readonly BranchMessage[],
  { sendReasoning }: { sendReasoning: boolean },
): JsonObject[] {
  const messages: JsonObject[] = [];
  if (systemMessage.trim() !== '') messages.push({ role: 'system', content: systemMessage });
  for (const message of path) {
    if (isEmptyAnswer(message)) continue;
    const { role, name, reasoning, toolCalls, toolCallId } = message;
    const content = getContent(message);
    messages.push({
      role,
      content: toJson(content),
      ...(name ? { name } : {}),
      ...(toolCalls.length > 0 ? { tool_calls: toJson(toolCalls) } : {}),
      ...(toolCallId ? { tool_call_id: toolCallId } : {}),
      ...(sendReasoning && reasoning ? { reasoning_content: reasoning } : {}),
    });
  }
  return messages;
}

function getContent({ content, audio }: BranchMessage): Content {
  return content.length === 0 && audio !== null ? audio.transcript : content;
}

function isEmptyAnswer(message: BranchMessage): boolean {
  const { role, toolCalls } = message;
  return role === 'assistant' && getContent(message).length === 0 && toolCalls.length === 0;
}
