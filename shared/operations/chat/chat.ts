/** Folds chat events into a chat state and describes the state. */
import { isJsonObject } from '../../json.ts';
import { findMediaReferences, findReferencedMedia, type Media } from '../../media.ts';
import { initialPhase, type RunEvent, type RunEventOf } from '../../run.ts';
import type { Operation, OperationResponse, StreamRest } from '../operation.ts';
import {
  type ChoiceReader,
  createResponseFold,
  findChangedChoices,
  type Translation,
  updateChoices,
} from '../response/choices-fold.ts';
import {
  describeChoice,
  listEnvelopeFacts,
  listTextSections,
  previewLine,
  streamOrText,
} from '../response/describe-response.ts';
import { finishReasons, getEnvelopeFigures, getRestOfChoices } from '../response/envelope.ts';
import { explainNoText, explainWithheld, UNREADABLE } from '../response/finish-reason.ts';
import { addResponseFields } from '../response/other-fields.ts';
import { addLogprobs } from '../response/token-probabilities.ts';
import { getCount, getSeconds, getUsedTokens } from '../response/usage.ts';
import { addWarnings, MORE_AUDIO, readString } from '../response/values.ts';
import { type AnswerView, viewAnswer } from './answer-view.ts';
import { completionsFields } from './completions-fields.ts';
import { addToChoice, createChatChoice, endChoice } from './delta.ts';
import { replaceImages } from './inline-images.ts';
import { addsOutput, repeatLength } from './merge-delta.ts';
import { getContentText, getSource } from './message.ts';
import { normalizeMessages } from './messages/decode.ts';
import { messagesFields } from './messages/fields.ts';
import { messagesTranslation } from './messages/translate.ts';
import type { ChatRequest } from './request.ts';
import { normalizeResponses } from './responses/decode.ts';
import { responsesFields } from './responses/fields.ts';
import { responsesTranslation } from './responses/translate.ts';
import { type ChatState, emptyChatState } from './state.ts';
import { adaptTools } from './tool-schema.ts';

const reader: ChoiceReader<ChatState> = {
  choices(state, received, reading) {
    const { source, batch, warn } = reading;
    const choices = updateChoices(
      state.choices,
      received,
      reading,
      createChatChoice,
      (choice, item, isFirst) => {
        const next = addToChoice(choice, item, { isFirst, source, batch }, warn);
        const logprobs = addLogprobs(choice.logprobs, item.value.logprobs);
        if (next === choice && logprobs === choice.logprobs) return choice;
        return logprobs === undefined ? next : { ...next, logprobs };
      },
    );
    if (choices === state.choices) return state;
    if (source === 'document')
      for (const choice of choices) viewAnswer(choice).warnings.forEach(warn);
    return { ...state, choices };
  },
  extra(state, body, { batch, warn }) {
    const other = addResponseFields(state.other, body, batch, warn);
    const systemFingerprint =
      state.systemFingerprint ?? readString(body.system_fingerprint, 'system_fingerprint', warn);
    const isSame = other === state.other && systemFingerprint === state.systemFingerprint;
    return isSame ? state : { ...state, other, systemFingerprint };
  },
  end(state) {
    const choices = state.choices.map(endChoice);
    if (choices.every((choice, at) => choice === state.choices[at])) return state;
    const warnings = choices.flatMap((choice) => viewAnswer(choice).warnings);
    return addWarnings({ ...state, choices }, warnings);
  },
  repeatLength({ choices }, { index, field }) {
    const choice = choices.find((known) => known.index === index);
    const text = choice?.message[field];
    return repeatLength(choice?.growing ?? {}, field, typeof text === 'string' ? text : '');
  },
  hasNewOutput: (before, after) =>
    findChangedChoices(before.choices, after.choices).some(({ choice, old }) =>
      addsOutput(old?.message ?? {}, choice.message),
    ),
};

/** Folds events of any format; `translation` converts them to chat completions. */
function createChatFold(translation: Translation<ChatState> | null) {
  const { fold, foldChunks, hasNewOutput } = createResponseFold(reader, translation);
  function foldMedia(state: ChatState, events: readonly RunEventOf<'media'>[]): ChatState {
    const next = replaceImagesInText(state, events);
    return events.some(({ media }) => media.hasMore) ? addWarnings(next, [MORE_AUDIO]) : next;
  }
  return {
    foldChunks,
    foldMedia,
    hasNewOutput,
    fold: (state: ChatState, event: RunEvent): ChatState =>
      event.kind === 'media' ? foldMedia(state, [event]) : fold(state, event),
  };
}

export const chatOperation: Operation<ChatRequest, ChatState> = {
  method: 'POST',
  path: '/v1/chat/completions',
  draft: { stream: true, stream_options: { include_usage: true } },
  renamable: {},
  needs: { stream_options: 'stream' },
  followable: false,
  readsLists: false,
  initialState: emptyChatState,
  formatTitle: 'Chat completions',
  fields: completionsFields,
  adapt: adaptTools('chat-completions'),
  formats: [
    {
      name: 'messages',
      title: 'Messages',
      path: '/v1/messages',
      headers: [['anthropic-version', '2023-06-01']],
      fields: messagesFields,
      normalize: normalizeMessages,
      adapt: adaptTools('messages'),
      rest: restUntilEnd,
      ...createChatFold(messagesTranslation),
    },
    {
      name: 'responses',
      title: 'Responses',
      path: '/v1/responses',
      fields: responsesFields,
      normalize: normalizeResponses,
      adapt: adaptTools('responses'),
      rest: restUntilEnd,
      ...createChatFold(responsesTranslation),
    },
  ],
  ...createChatFold(null),
  figures: (state) => ({
    ...getEnvelopeFigures(state, state.choices),
    ...(state.warnings.length > 0 && { warnings: state.warnings }),
  }),
  noResult: explainNoResult,
  results: leaveOutPreviews,
  quantities(state, media) {
    const images = getCount(leaveOutPreviews(state, media), 'image');
    return {
      ...getUsedTokens(state.usage),
      ...(images > 0 && { images }),
      ...(getCount(media, 'audio') > 0 && { soundSeconds: getSeconds(media, 'audio') }),
    };
  },
  rest: getRestOfChoices,
  phase: () => initialPhase,
  response: getResponse,
  codeResponse: streamOrText,
  preview: getRequestPreview,
};

/** Expects more until the end event, for formats that have one. */
function restUntilEnd({ done }: Pick<ChatState, 'done'>): StreamRest {
  return done ? 'nothing' : 'more';
}

/** Skips previews, which are images that a later image of the answer replaced. */
function leaveOutPreviews({ choices, other }: ChatState, media: readonly Media[]): Media[] {
  if (media.length < 2) return [...media];
  const inAnswer = findMentioned(choices);
  if (!media.some(({ id }) => inAnswer.has(id))) return [...media];
  const elsewhere = findMentioned(other);
  return media.filter(({ kind, id }) => kind !== 'image' || inAnswer.has(id) || elsewhere.has(id));
}

/** Returns the IDs of the media items that a value refers to, in any of its texts. */
function findMentioned(value: ChatState['choices'] | ChatState['other']): Set<string> {
  return new Set(findMediaReferences(JSON.stringify(value)).map(({ mediaId }) => mediaId));
}

/** Stores images together, because each one alone would copy the whole text. */
function replaceImagesInText(state: ChatState, events: readonly RunEventOf<'media'>[]): ChatState {
  const images = events.flatMap(({ media, inText }) =>
    inText === undefined ? [] : { ...inText, mediaId: media.id },
  );
  if (images.length === 0) return state;
  const byChoice = Map.groupBy(images, ({ choice }) => choice);
  const choices = state.choices.map((choice) => {
    const own = byChoice.get(choice.index);
    if (own === undefined) return choice;
    const byPart = Map.groupBy(own, ({ part }) => part);
    const store = (text: string, part: number | null) =>
      replaceImages(text, byPart.get(part) ?? []);
    const { storedImages = [], message } = choice;
    const { content } = message;
    const stored =
      typeof content === 'string'
        ? store(content, null)
        : Array.isArray(content)
          ? content.map((item, at) =>
              byPart.has(at) && isJsonObject(item) && typeof item.text === 'string'
                ? { ...item, text: store(item.text, at) }
                : item,
            )
          : null;
    return {
      ...choice,
      message: { ...message, content: stored },
      storedImages: [...new Set([...storedImages, ...own.map(({ mediaId }) => mediaId)])],
    };
  });
  return { ...state, choices };
}

function getResponse(state: ChatState): OperationResponse {
  const { choices, warnings, systemFingerprint } = state;
  const answers = choices.map((choice) => ({ ...viewAnswer(choice), index: choice.index }));
  return {
    text: answers.flatMap(({ content }) => (content === '' ? [] : [content])).join('\n\n'),
    sections: answers.flatMap((answer) => {
      const where = describeChoice(answer.index, answers.length);
      return listTextSections([
        [
          `Reasoning${answer.isTagged ? ' (from <think> tags)' : ''}${where}`,
          answer.reasoning,
          'markdown',
        ],
        [`Text${where}`, answer.content, 'markdown'],
        [`Attachments${where}`, joinAddresses(answer)],
        [`Refusal${where}`, answer.refusal],
        [`Transcript${where}`, answer.audio?.transcript ?? '', 'markdown'],
        [
          `Built-in tools${where}`,
          answer.steps
            .map(({ title, text }) => [title, text].filter(Boolean).join(': '))
            .join('\n'),
        ],
        [
          `Tool calls${where}`,
          answer.toolCalls.map((call) => `${call.name}(${call.arguments})`).join('\n'),
        ],
      ]);
    }),
    warnings,
    facts: listEnvelopeFacts(state, finishReasons(choices), systemFingerprint),
  };
}

/** Lists URLs and file IDs, because the run's media don't include them. */
function joinAddresses({ parts }: AnswerView): string {
  return parts
    .flatMap(({ part }) => {
      const source = getSource(part);
      if (source !== null) return findReferencedMedia(source) === null ? [source] : [];
      return part.type === 'file' ? [part.file.file_id ?? ''] : [];
    })
    .join('\n');
}

function explainNoResult(
  { choices, unreadable }: ChatState,
  media: readonly Media[],
): string | null {
  if (media.some(({ complete, sizeBytes }) => complete && sizeBytes > 0)) return null;
  const answers = choices.map(viewAnswer);
  const usable = answers.some(
    ({ content, parts, toolCalls, audio }) =>
      content.trim() !== '' ||
      parts.length > 0 ||
      toolCalls.length > 0 ||
      (audio !== null && (audio.media !== null || audio.transcript !== '')),
  );
  if (usable) return null;
  if (choices.length === 0 && unreadable) return UNREADABLE;
  if (answers.some(({ refusal }) => refusal !== '')) return 'The model refused.';
  const withheld = choices.map(({ finishReason, other }) =>
    explainWithheld(finishReason, other.stop_details),
  );
  const said = withheld.find((text) => text !== null);
  if (said !== undefined) return said;
  const isReasoned = answers.some(({ reasoning }) => reasoning !== '');
  return explainNoText(finishReasons(choices), isReasoned);
}

/** Returns the text of the last user message, or the types of its parts if it has no text. */
function getRequestPreview({ messages }: ChatRequest): string {
  const message = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  if (message === undefined) return '';
  const text = previewLine(getContentText(message.content, '\n\n'));
  if (text !== '' || !Array.isArray(message.content)) return text;
  return previewLine(message.content.map((part) => part.type).join(', '));
}
