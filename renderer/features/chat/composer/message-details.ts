/** What a message says beside its content, as it is edited: pure, for composer and editor. */
import type { TreeMessage, WrittenMessage } from '../../../../shared/conversation.ts';
import type { MessageDetails } from '../../../../shared/operations/chat/input.ts';
import type { Role, ToolCall } from '../../../../shared/operations/chat/message.ts';

export function getDetails(message: TreeMessage): MessageDetails {
  const { name, toolCallId, reasoning, toolCalls } = message;
  return {
    name: name ?? '',
    toolCallId: toolCallId ?? '',
    reasoning: reasoning ?? '',
    toolCalls,
  };
}

/** As they are written; what the role cannot have, or is empty, is left out. */
export function writtenDetails(role: Role, details: MessageDetails): Partial<WrittenMessage> {
  const name = details.name.trim();
  const toolCallId = role === 'tool' ? details.toolCallId.trim() : '';
  const { reasoning, toolCalls } = role === 'assistant' ? details : nothingThought;
  return {
    ...(name === '' ? {} : { name }),
    ...(toolCallId === '' ? {} : { toolCallId }),
    ...(reasoning.trim() === '' ? {} : { reasoning }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
}

const nothingThought: Pick<MessageDetails, 'reasoning' | 'toolCalls'> = {
  reasoning: '',
  toolCalls: [],
};

/** `id`: another one than those of the conversation. */
export function newToolCall(id: string): ToolCall {
  return { id, type: 'function', function: { name: '', arguments: '{}' } };
}

/** Why they cannot be saved; null if they can. */
export function detailsProblem(role: Role, { toolCalls }: MessageDetails): string | null {
  if (role !== 'assistant') return null;
  if (toolCalls.some((call) => call.function.name.trim() === '')) {
    return 'Enter a name for each tool call.';
  }
  return toolCalls.some(({ id }) => id.trim() === '') ? 'Enter an ID for each tool call.' : null;
}
