/** Text completion: what its events fold into, and what that says. */
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { OperationSpec } from '../operation.ts';
import { createReplyFold } from '../reply/choices-fold.ts';
import { finishReasons } from '../reply/envelope.ts';
import { previewLine } from '../reply/preview.ts';
import { updateChoice } from '../reply/update-choice.ts';
import { readWord, textOfValue, type Warn } from '../reply/values.ts';
import { type CompletionRequest, completionEndpoint } from './request.ts';
import { type CompletionChoice, type CompletionState, emptyCompletionState } from './state.ts';

const fold = createReplyFold<CompletionState>({
  choices(state, received, _whole, warn) {
    const choices = received.reduce(
      (soFar, { index, value }) =>
        updateChoice(soFar, index, emptyChoice, (choice) => addToChoice(choice, value, warn)),
      state.choices,
    );
    return choices === state.choices ? state : { ...state, choices };
  },
});

export const completionOperation: OperationSpec<CompletionRequest, CompletionState> = {
  ...completionEndpoint,
  initialState: emptyCompletionState,
  fold,
  produced: (before, after) =>
    after.choices !== before.choices &&
    after.choices.some((choice) => {
      const old = before.choices.find(({ index }) => index === choice.index);
      return choice.text.length > (old?.text.length ?? 0);
    }),
  figures: ({ model, usage, choices }) => ({
    model,
    usage,
    finishReasons: finishReasons(choices),
  }),
  preview: ({ prompt }) => previewLine(prompt),
};

function emptyChoice(index: number): CompletionChoice {
  return { index, text: '', finishReason: null };
}

function addToChoice(choice: CompletionChoice, value: JsonObject, warn: Warn): CompletionChoice {
  const text = readText(value, warn);
  const finishReason = readWord(value.finish_reason, 'finish_reason', warn) ?? choice.finishReason;
  if (text === '' && finishReason === choice.finishReason) return choice;
  return { index: choice.index, text: choice.text + text, finishReason };
}

/** A gateway that serves chat models here may answer in the shape of chat. */
function readText({ text, delta, message }: JsonObject, warn: Warn): string {
  if (typeof text === 'string') return text;
  if (text !== undefined && text !== null) {
    warn('The text of a choice was not text.');
    return textOfValue(text);
  }
  const chat = isJsonObject(delta) ? delta : message;
  if (!isJsonObject(chat) || typeof chat.content !== 'string') return '';
  warn('The reply came in the shape of a chat completion.');
  return chat.content;
}
