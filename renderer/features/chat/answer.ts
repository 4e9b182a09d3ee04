/** An answer as it is shown, whether it still streams or was settled into the conversation. */
import type { TreeMessage } from '../../../shared/conversation.ts';
import type { ChatState, ToolCallState } from '../../../shared/operations/chat-state.ts';
import { messageText } from './message-text.ts';

export type Answer = {
  content: string;
  reasoning: string;
  refusal: string;
  toolCalls: readonly ToolCallState[];
  warnings: readonly string[];
};

export function liveAnswer(state: ChatState, choiceIndex: number): Answer {
  const choice = state.choices.find(({ index }) => index === choiceIndex);
  return {
    content: choice?.content ?? '',
    reasoning: choice?.reasoning ?? '',
    refusal: choice?.refusal ?? '',
    toolCalls: choice?.toolCalls ?? [],
    warnings: state.warnings,
  };
}

export function settledAnswer(message: TreeMessage): Answer {
  return {
    content: messageText(message.content),
    reasoning: message.reasoning ?? '',
    refusal: '',
    toolCalls: message.toolCalls.map((call) => ({
      id: call.id,
      name: call.function.name,
      arguments: call.function.arguments,
    })),
    warnings: [],
  };
}

export function isEmptyAnswer(answer: Answer): boolean {
  return answer.content === '' && answer.refusal === '' && answer.toolCalls.length === 0;
}
