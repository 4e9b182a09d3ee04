/** The run with whose result a request begins, by the media in it. */
import type { JsonValue } from '../../shared/json.ts';
import { referencedMedia } from '../../shared/media-reference.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { MediaStore } from '../media/media-store.ts';

/**
 * That of the last medium that a run produced; null if there is none. Of a chat only the last message counts: the
 * others have been sent before.
 */
export function getSourceRun(
  operation: OperationName,
  request: Readonly<Record<string, JsonValue>>,
  { runOf }: Pick<MediaStore, 'runOf'>,
): string | null {
  const { messages } = request;
  const added =
    operation === 'chat' && Array.isArray(messages) ? (messages.at(-1) ?? null) : request;
  let found: string | null = null;
  for (const text of textsIn(added)) {
    const id = referencedMedia(text);
    if (id !== null) found = runOf(id) ?? found;
  }
  return found;
}

function* textsIn(value: JsonValue | Readonly<Record<string, JsonValue>>): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) yield* textsIn(item);
  }
}
