/** Finds and replaces the media items that a message refers to. */
import { ExactNumber } from '../../../shared/exact-number.ts';
import type { FileMessage } from './conversation-file.ts';

const REFERENCE = /media:([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/g;

export function listMessageMediaIds({ content, audio, wire, run }: FileMessage): string[] {
  const ids = new Set<string>();
  replaceInStrings([content, wire], (id) => {
    ids.add(id);
    return id;
  });
  if (audio !== null && audio.media !== null) ids.add(audio.media);
  for (const { id } of run?.media ?? []) ids.add(id);
  return [...ids];
}

/** Keeps the IDs that aren't in the map. */
export function replaceMediaIds(
  message: FileMessage,
  ids: ReadonlyMap<string, string>,
): FileMessage {
  const replace = (id: string) => ids.get(id) ?? id;
  const { audio, run } = message;
  return {
    ...message,
    content: replaceInStrings(message.content, replace),
    wire: replaceInStrings(message.wire, replace),
    audio: audio && { ...audio, media: audio.media === null ? null : replace(audio.media) },
    run: run && { ...run, media: run.media.map((item) => ({ ...item, id: replace(item.id) })) },
  };
}

/** Returns a copy of the same shape. */
function replaceInStrings<Value>(value: Value, replace: (id: string) => string): Value;
function replaceInStrings(value: unknown, replace: (id: string) => string): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(REFERENCE, (_all, id: string) => `media:${replace(id)}`);
  }
  if (Array.isArray(value)) return value.map((item) => replaceInStrings(item, replace));
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaceInStrings(item, replace)]),
  );
}
