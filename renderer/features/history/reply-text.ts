import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Media } from '../../../shared/media.ts';

/** What a run answered, as text, whatever its operation; empty where it answered none. */
export function replyText(state: JsonValue): string {
  if (!isJsonObject(state)) return '';
  const texts: JsonValue[] = [
    ...objects(state.choices).flatMap(({ text, content }) => [text ?? content ?? '']),
    ...objects(state.candidates).flatMap(({ parts }) =>
      objects(parts).map(({ text }) => text ?? ''),
    ),
    objects(state.results).map(rankedLine).join('\n'),
    state.text ?? '',
    typeof state.word === 'string' ? `Task ${state.word}` : '',
  ];
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n\n');
}

/** The media that a state holds, complete or not. */
export function replyMedia(state: JsonValue): Media[] {
  if (!isJsonObject(state)) return [];
  const media = Array.isArray(state.media) ? state.media : [state.media ?? null];
  return media.filter(isMedia);
}

function rankedLine({ index, relevanceScore, document }: JsonObject): string {
  const text = typeof document === 'string' ? `  ${document}` : '';
  return `${String(relevanceScore)}  document ${String(index)}${text}`;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Main made it by the schema of media; here its shape only tells it from other JSON. */
function isMedia(value: JsonValue): value is JsonObject & Media {
  return isJsonObject(value) && typeof value.id === 'string' && typeof value.sizeBytes === 'number';
}
