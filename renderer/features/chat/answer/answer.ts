/** An answer as it is shown, whether it still streams or was settled into the conversation. */
import type { TreeMessage } from '../../../../shared/conversation.ts';
import type {
  AudioState,
  ChatState,
  ToolCallState,
} from '../../../../shared/operations/chat/state.ts';
import { messageText } from '../messages/message-text.ts';

export type Answer = {
  content: string;
  reasoning: string;
  refusal: string;
  toolCalls: readonly ToolCallState[];
  audio: AudioState | null;
  warnings: readonly string[];
};

export function liveAnswer(state: ChatState, choiceIndex: number): Answer {
  const choice = state.choices.find(({ index }) => index === choiceIndex);
  return {
    content: choice?.content ?? '',
    reasoning: choice?.reasoning ?? '',
    refusal: choice?.refusal ?? '',
    toolCalls: choice?.toolCalls ?? [],
    audio: choice?.audio ?? null,
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
    audio: message.audio,
    warnings: [],
  };
}

export function isEmptyAnswer({ content, refusal, toolCalls, audio }: Answer): boolean {
  return content === '' && refusal === '' && toolCalls.length === 0 && audio === null;
}
