/** Explains why a successful image run produced no output. */
import { getString } from '../../json.ts';
import type { Media } from '../../media.ts';
import { isWithheld } from '../response/finish-reason.ts';
import { getCamelOrSnake } from '../response/values.ts';
import { type ImageCandidate, type ImagePart, type ImageState, isImage } from './state.ts';

/** Lists only values with a clear meaning. */
const meanings: Readonly<Record<string, string>> = {
  SAFETY: 'safety filter',
  IMAGE_SAFETY: 'the safety filter blocked the image',
  PROHIBITED_CONTENT: 'prohibited content',
  IMAGE_PROHIBITED_CONTENT: 'the image contains prohibited content',
  CONTENT_FILTER: 'content filter',
  BLOCKLIST: 'it contains a blocklisted word',
  SPII: 'it may contain personal data',
  RECITATION: 'it would recite copyrighted content',
  IMAGE_RECITATION: 'the image would reproduce protected content',
  MAX_TOKENS: 'the token limit was reached first',
  LANGUAGE: 'the language isn’t supported',
  NO_IMAGE: 'the model generated no image',
  IMAGE_OTHER: 'the model generated no image and gave no reason',
  OTHER: 'no reason given',
};

/** Returns null if there is output; text doesn't count if the gateway withheld the image. */
export function explainNoImage({
  blockReason,
  promptFeedback,
  candidates,
  media,
}: Pick<ImageState, 'blockReason' | 'promptFeedback' | 'candidates' | 'media'>): string | null {
  const finals = candidates.flatMap(({ parts }) =>
    parts.filter((part) => isImage(part) && !part.thought),
  );
  const unreadable = finals.flatMap(
    (part) => media.find((item) => part.type === 'media' && isUnreadable(item, part)) ?? [],
  );
  if (finals.length > unreadable.length) return null;
  if (unreadable.length > 0 && !candidates.some(hasText)) {
    const bytes = unreadable.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const what = unreadable.length === 1 ? 'The image' : `All ${unreadable.length} images`;
    return `${what} in the response can’t be read: ${bytes.toLocaleString('en')} bytes of an unknown format.`;
  }
  // Some gateways send the unset value as `…_UNSPECIFIED`.
  if (blockReason !== null && !/UNSPECIFIED$/i.test(blockReason)) {
    const said = getString(promptFeedback && getCamelOrSnake(promptFeedback, 'blockReasonMessage'));
    const sentence = `The gateway blocked the prompt: ${describeReason(blockReason)}.`;
    return said === '' ? sentence : `${sentence} ${said}`;
  }
  const reasons = [...new Set(candidates.flatMap(({ finishReason }) => finishReason ?? []))];
  const words = reasons.map(describeReason).join('; ');
  const withheld = reasons.some(isWithheld);
  if (!withheld && candidates.some(hasTextOrDraft)) return null;
  const message = [...new Set(candidates.flatMap(({ finishMessage }) => finishMessage ?? []))];
  const sentences = (sentence: string) => [sentence, ...message].join(' ');
  if (withheld) return sentences(`The gateway withheld the result: ${words}.`);
  return reasons.length === 0 || /^stop$/i.test(words)
    ? sentences('The response has neither text nor images.')
    : sentences(`The response has neither text nor images: ${words}.`);
}

/** Returns true for a whole file that no signature identifies. */
function isUnreadable(
  { id, complete, type }: Media,
  { mediaId }: Extract<ImagePart, { type: 'media' }>,
): boolean {
  return id === mediaId && complete && type === 'application/octet-stream';
}

function hasTextOrDraft(candidate: ImageCandidate): boolean {
  return hasText(candidate) || candidate.parts.some(isImage);
}

function hasText({ parts }: ImageCandidate): boolean {
  return parts.some((part) => part.type === 'text' && !part.thought && part.text.trim() !== '');
}

function describeReason(word: string): string {
  const meaning = meanings[word.toUpperCase()];
  return meaning === undefined ? word : `${meaning} (${word})`;
}
