import type { AppError } from '../../../shared/errors.ts';
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import type { ImageCandidate, ImageState } from '../../../shared/operations/image/state.ts';

/** Words of the Gemini-style shape whose meaning is clear. */
const meanings: Readonly<Record<string, string>> = {
  SAFETY: 'its safety filter objected',
  IMAGE_SAFETY: 'its safety filter objected to the picture that was made',
  PROHIBITED_CONTENT: 'it counts as prohibited content',
  IMAGE_PROHIBITED_CONTENT: 'the picture that was made counts as prohibited content',
  BLOCKLIST: 'it holds a word on the block list',
  SPII: 'it may hold personal data',
  RECITATION: 'it would have repeated protected work',
  IMAGE_RECITATION: 'the picture would have repeated protected work',
  MAX_TOKENS: 'the limit of tokens was reached first',
  LANGUAGE: 'the language is not supported',
  NO_IMAGE: 'the model made no picture',
  IMAGE_OTHER: 'the model made no picture, without saying why',
  OTHER: 'the gateway gives no closer reason',
};

const filtered = /SAFETY|PROHIBITED|BLOCK|SPII|RECITATION/;

/** Why a reply holds nothing to show, or null where it holds something. */
export function whyEmpty(state: ImageState): AppError | null {
  const { blockReason, candidates } = state;
  if (blockReason !== null) {
    return blocked(
      `The gateway blocked the prompt: ${reasonWords(blockReason)}.`,
      blockMessage(state.promptFeedback?.blockReasonMessage),
    );
  }
  if (candidates.some(hasContent)) return null;
  const reasons = [...new Set(candidates.flatMap(({ finishReason }) => finishReason ?? []))];
  const [reason] = reasons;
  if (reason !== undefined && filtered.test(reason)) {
    return blocked(`The answer was held back: ${reasons.map(reasonWords).join('; ')}.`, null);
  }
  return {
    kind: 'malformed-response',
    message:
      reason === undefined
        ? 'The answer holds neither text nor images, and no reason.'
        : `The answer holds neither text nor images: ${reasons.map(reasonWords).join('; ')}.`,
    nextStep: 'Ask for IMAGE among the modalities, or change the prompt, and run it again.',
    gateway: null,
    detail: null,
  };
}

/** `HIGH` in a rating, or what was blocked by it, is worth a colour. */
export interface ShownRating {
  category: string;
  probability: string;
  blocked: boolean;
}

/** A rating of an unknown shape is shown as it came. */
export function readRating(rating: JsonValue): ShownRating {
  if (!isJsonObject(rating)) {
    return { category: JSON.stringify(rating), probability: '', blocked: false };
  }
  const { category, probability, severity, blocked: isBlocked } = rating;
  if (typeof category !== 'string') {
    return { category: JSON.stringify(rating), probability: '', blocked: isBlocked === true };
  }
  const word = probability ?? severity;
  return {
    category: category
      .replace(/^HARM_CATEGORY_/, '')
      .replaceAll('_', ' ')
      .toLowerCase(),
    probability: typeof word === 'string' ? word.replaceAll('_', ' ').toLowerCase() : '',
    blocked: isBlocked === true,
  };
}

function hasContent({ parts }: ImageCandidate): boolean {
  return parts.some((part) => part.type !== 'text' || part.text !== '');
}

function reasonWords(word: string): string {
  const meaning = meanings[word.toUpperCase()];
  return meaning === undefined ? word : `${meaning} (${word})`;
}

function blockMessage(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function blocked(message: string, detail: string | null): AppError {
  return {
    kind: 'content-filtered',
    message: detail === null ? message : `${message} ${detail}`,
    nextStep: 'Change the prompt or the images, and run it again.',
    gateway: null,
    detail: null,
  };
}
