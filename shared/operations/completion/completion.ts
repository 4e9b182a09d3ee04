/** Folds completion events into a completion state and describes the state. */
import { isJsonObject, type JsonObject } from '../../json.ts';
import { initialPhase } from '../../run.ts';
import type { Operation } from '../operation.ts';
import {
  createResponseFold,
  findChangedChoices,
  type Reading,
  updateChoices,
} from '../response/choices-fold.ts';
import {
  describeChoice,
  listEnvelopeFacts,
  listTextSections,
  previewLine,
  streamOrText,
} from '../response/describe-response.ts';
import {
  emptyEnvelope,
  finishReasons,
  getEnvelopeFigures,
  getRestOfChoices,
  type ResponseEnvelope,
} from '../response/envelope.ts';
import {
  type ChoiceEnd,
  explainNoText,
  readChoiceEnd,
  UNREADABLE,
} from '../response/finish-reason.ts';
import { addChoiceFields, addResponseFields } from '../response/other-fields.ts';
import { addLogprobs, type LogprobPieces } from '../response/token-probabilities.ts';
import { getUsedTokens } from '../response/usage.ts';
import { toDisplayText, type Warn } from '../response/values.ts';
import type { CompletionRequest } from './request.ts';

export type CompletionChoice = ChoiceEnd & {
  index: number;
  text: string;
  /** Other fields of the choice, such as `stop_reason`. */
  other: JsonObject;
  logprobs?: LogprobPieces;
};

export type CompletionState = ResponseEnvelope & {
  choices: CompletionChoice[];
  /** Other fields of the response. */
  other: JsonObject;
};

export const emptyCompletionState: CompletionState = { ...emptyEnvelope, choices: [], other: {} };

const responseFold = createResponseFold<CompletionState>({
  choices(state, received, reading) {
    const choices = updateChoices(
      state.choices,
      received,
      reading,
      emptyChoice,
      (choice, { value }, isFirst) =>
        addToChoice(choice, value, isFirst && reading.source !== 'document', reading),
    );
    return choices === state.choices ? state : { ...state, choices };
  },
  extra(state, body, { batch, warn }) {
    const other = addResponseFields(state.other, body, batch, warn);
    return other === state.other ? state : { ...state, other };
  },
  hasNewOutput: (before, after) =>
    findChangedChoices(before.choices, after.choices).some(
      ({ choice, old }) => choice.text.length > (old?.text.length ?? 0),
    ),
});

export const completionOperation: Operation<CompletionRequest, CompletionState> = {
  method: 'POST',
  path: '/v1/completions',
  draft: { stream: true },
  renamable: {},
  followable: false,
  readsLists: false,
  initialState: emptyCompletionState,
  ...responseFold,
  figures: (state) => getEnvelopeFigures(state, state.choices),
  noResult: ({ choices, unreadable }) => {
    // Whitespace counts as output, because a code completion may start with a line break.
    if (choices.some(({ text }) => text !== '')) return null;
    if (choices.length === 0 && unreadable) return UNREADABLE;
    return explainNoText(finishReasons(choices), false);
  },
  quantities: ({ usage }) => getUsedTokens(usage),
  rest: getRestOfChoices,
  phase: () => initialPhase,
  response: (state) => ({
    text: state.choices.map(({ text }) => text).join('\n\n'),
    sections: listTextSections(
      state.choices.map(({ index, text }) => [
        `Text${describeChoice(index, state.choices.length)}`,
        text,
      ]),
    ),
    warnings: state.warnings,
    facts: listEnvelopeFacts(state, finishReasons(state.choices), null),
  }),
  codeResponse: streamOrText,
  preview: ({ prompt }) => previewLine(prompt),
};

function emptyChoice(index: number): CompletionChoice {
  return { index, text: '', other: {}, finishReason: null };
}

function addToChoice(
  choice: CompletionChoice,
  value: JsonObject,
  isFirst: boolean,
  { batch, warn }: Pick<Reading, 'batch' | 'warn'>,
): CompletionChoice {
  const text = readText(value, warn);
  batch.output += text.length;
  const piece = { isFirst, hasOutput: text !== '' };
  const end = readChoiceEnd(choice, value.finish_reason, piece, warn);
  const other = addChoiceFields(choice.other, value, batch, warn);
  const logprobs = addLogprobs(choice.logprobs, value.logprobs);
  const isSame =
    other === choice.other &&
    logprobs === choice.logprobs &&
    end.finishReason === choice.finishReason;
  if (text === '' && isSame) return choice;
  return {
    index: choice.index,
    text: choice.text + text,
    other,
    ...(logprobs && { logprobs }),
    ...end,
  };
}

/** Some gateways return completions of chat models in the chat format. */
function readText({ text, delta, message }: JsonObject, warn: Warn): string {
  if (typeof text === 'string') return text;
  if (text !== undefined && text !== null) {
    warn('The text of a choice isn’t a string.');
    return toDisplayText(text);
  }
  const chat = isJsonObject(delta) ? delta : message;
  if (!isJsonObject(chat) || typeof chat.content !== 'string') return '';
  warn('The response is in chat completion format.');
  return chat.content;
}
