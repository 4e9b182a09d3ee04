import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { createMediaReference, findReferencedMedia } from '../../../shared/media.ts';
import type { EmbeddingsInput } from '../../../shared/operations/embeddings/request.ts';
import type { RunInput } from '../../../shared/run.ts';
import type { ComparedInput } from '../../run/compare/compared-input.ts';
import { getDocuments, toText } from '../../run/form/documents/documents.ts';

type SentInput = Pick<EmbeddingsInput, 'texts' | 'imageIds'>;

export function toEmbeddingsFields({ texts, imageIds }: SentInput): JsonObject {
  return {
    input: [...getDocuments(texts), ...imageIds.map((id) => ({ image: createMediaReference(id) }))],
  };
}

export function toEmbeddingsInput(request: JsonObject): SentInput {
  const input = getSentInputs({ request, extraBody: {} });
  return {
    texts: toText(input.flatMap((item) => (getImageId(item) === null ? describeInput(item) : []))),
    imageIds: input.flatMap((item) => getImageId(item) ?? []),
  };
}

/** Extra JSON overrides the form's inputs. */
export function getSentInputs({
  request,
  extraBody,
}: Pick<RunInput, 'request' | 'extraBody'>): JsonValue[] {
  const input = extraBody.input ?? request.input;
  if (Array.isArray(input)) return typeof input[0] === 'number' ? [input] : input;
  return input === undefined || input === null ? [] : [input];
}

/** Returns the ID of an input's image; null if the input has none. */
export function getImageId(input: JsonValue): string | null {
  if (!isJsonObject(input) || typeof input.image !== 'string') return null;
  return findReferencedMedia(input.image);
}

/** Returns a short name of an input, such as its text. */
export function describeInput(input: JsonValue): string {
  if (typeof input === 'string') return input;
  if (Array.isArray(input)) return `${input.length} tokens`;
  if (!isJsonObject(input)) return String(input);
  if (typeof input.text === 'string') return input.text;
  return 'image' in input ? 'Image' : JSON.stringify(input);
}

export const comparedEmbeddings: ComparedInput = {
  title: ({ input }) => (Array.isArray(input) ? describeInput(input[0] ?? '') : ''),
  promptField: null,
  own: {
    write: (input) => ('texts' in input && 'imageIds' in input ? toEmbeddingsFields(input) : {}),
    read: toEmbeddingsInput,
  },
};
