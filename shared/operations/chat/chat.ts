/** Folds chat events into a chat state and describes the state. */
import { type Media, referencedMedia } from '../../media.ts';
import { initialPhase } from '../../run.ts';
import type { Operation, OperationResponse } from '../operation.ts';
import { changedChoices, createResponseFold, updateChoices } from '../response/choices-fold.ts';
import {
  envelopeFacts,
  ofChoice,
  previewLine,
  streamOrText,
  textSections,
} from '../response/describe-response.ts';
import { finishReasons, restOfChoices } from '../response/envelope.ts';
import { UNREADABLE, whyNoText } from '../response/finish-reason.ts';
import { getCount, getSeconds, tokensUsed } from '../response/usage.ts';
import { readString } from '../response/values.ts';
import { addToChoice, emptyChatChoice, endChoice } from './delta.ts';
import { getSource, getText } from './message.ts';
import type { ChatRequest } from './request.ts';
import { type ChatChoice, type ChatState, emptyChatState } from './state.ts';

const responseFold = createResponseFold<ChatState>({
  choices(state, received, whole, warn) {
    const choices = updateChoices(
      state.choices,
      received,
      emptyChatChoice,
      (choice, item, isFirst) =>
        addToChoice(choice, item, { isFirst: isFirst && !whole, whole }, warn),
    );
    return choices === state.choices ? state : { ...state, choices };
  },
  extra(state, body, warn) {
    if (state.systemFingerprint !== null) return state;
    const systemFingerprint = readString(body.system_fingerprint, 'system_fingerprint', warn);
    return systemFingerprint === null ? state : { ...state, systemFingerprint };
  },
  end(state) {
    const choices = state.choices.map(endChoice);
    return choices.every((choice, at) => choice === state.choices[at])
      ? state
      : { ...state, choices };
  },
  produced: (before, after) =>
    changedChoices(before.choices, after.choices).some(
      ({ choice, old }) =>
        // Buffered text counts as output, and `think` changes only when text arrives.
        choice.think !== old?.think || outputLength(choice) > (old ? outputLength(old) : 0),
    ),
});

export const chatOperation: Operation<ChatRequest, ChatState> = {
  method: 'POST',
  path: '/v1/chat/completions',
  draft: { stream: true, stream_options: { include_usage: true } },
  renamable: {},
  needs: { stream_options: 'stream' },
  followable: false,
  readsLists: false,
  initialState: emptyChatState,
  ...responseFold,
  figures: ({ model, usage, choices, warnings }) => ({
    model,
    usage,
    finishReasons: finishReasons(choices),
    ...(warnings.length > 0 && { warnings }),
  }),
  noResult: whyNoResult,
  quantities({ usage }, media) {
    const images = getCount(media, 'image');
    return {
      ...tokensUsed(usage),
      ...(images > 0 && { images }),
      ...(getCount(media, 'audio') > 0 && { soundSeconds: getSeconds(media, 'audio') }),
    };
  },
  rest: restOfChoices,
  phase: () => initialPhase,
  response: getResponse,
  codeResponse: streamOrText,
  preview: previewOfRequest,
};

function getResponse(state: ChatState): OperationResponse {
  const { choices, warnings, systemFingerprint } = state;
  return {
    text: choices.flatMap(({ content }) => (content === '' ? [] : [content])).join('\n\n'),
    sections: choices.flatMap((choice) => {
      const where = ofChoice(choice.index, choices.length);
      return textSections([
        [
          `Reasoning${choice.think?.tagged ? ' (from <think> tags)' : ''}${where}`,
          choice.reasoning,
          'markdown',
        ],
        [`Text${where}`, choice.content, 'markdown'],
        [`Attachments${where}`, addressesIn(choice)],
        [`Refusal${where}`, choice.refusal],
        [`Transcript${where}`, choice.audio?.transcript ?? '', 'markdown'],
        [
          `Tool calls${where}`,
          choice.toolCalls.map((call) => `${call.name}(${call.arguments})`).join('\n'),
        ],
      ]);
    }),
    warnings,
    facts: envelopeFacts(state, finishReasons(choices), systemFingerprint),
  };
}

/** Lists URLs and file IDs, because the run's media don't include them. */
function addressesIn({ parts = [] }: ChatChoice): string {
  return parts
    .flatMap(({ part }) => {
      const source = getSource(part);
      if (source !== null) return referencedMedia(source) === null ? [source] : [];
      return part.type === 'file' ? [part.file.file_id ?? ''] : [];
    })
    .join('\n');
}

function whyNoResult({ choices, unreadable }: ChatState, media: readonly Media[]): string | null {
  if (media.some(({ complete, sizeBytes }) => complete && sizeBytes > 0)) return null;
  const usable = choices.some(
    ({ content, parts = [], toolCalls, audio }) =>
      content.trim() !== '' ||
      parts.length > 0 ||
      toolCalls.length > 0 ||
      (audio != null && (audio.media !== null || audio.transcript !== '')),
  );
  if (usable) return null;
  if (choices.length === 0 && unreadable) return UNREADABLE;
  if (choices.some(({ refusal }) => refusal !== '')) return 'The model refused.';
  const isReasoned = choices.some(({ reasoning }) => reasoning !== '');
  return whyNoText(finishReasons(choices), isReasoned);
}

/** Output only grows, except when think tags move text, so a longer length means new output. */
function outputLength(choice: ChatChoice): number {
  const { content, parts = [], reasoning, refusal, toolCalls, audio } = choice;
  let length = content.length + parts.length + reasoning.length + refusal.length;
  if (audio) length += audio.transcript.length + (audio.media?.length ?? 0);
  for (const call of toolCalls) length += call.name.length + call.arguments.length;
  return length;
}

/**
 * Returns the text of the last user message, or the types of its parts if the message has no text.
 */
function previewOfRequest({ messages }: ChatRequest): string {
  const message = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  if (message === undefined) return '';
  const text = previewLine(getText(message.content));
  if (text !== '' || !Array.isArray(message.content)) return text;
  return previewLine(message.content.map((part) => part.type).join(', '));
}
