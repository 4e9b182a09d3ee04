/** Takes the sound out of a reply of speech that is JSON, or a stream of events with a piece in each. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media-reference.ts';
import { base64Piece, readDataUrl } from './base64-data.ts';
import type { Harvest, HarvestSink } from './harvest-media.ts';

const AUDIO = /^audio(?:_?(?:base64|content|data|chunk))?$/i;
/** What only the kind of the event tells to be sound. */
const PIECES = ['delta', 'data'];
const INSIDE = ['data', 'b64_json', 'base64', 'content'];
const DEEPEST = 4;

/** `type`: of a sound whose bytes do not show it. */
export function harvestSpeech(type: string | null): Harvest {
  return (json, sink) => walk(json, sink, type, 0);
}

function walk(value: JsonValue, sink: HarvestSink, type: string | null, depth: number): JsonValue {
  if (!isJsonObject(value) || depth > DEEPEST) return value;
  const isAudioEvent = typeof value.type === 'string' && value.type.includes('audio');
  let copy: JsonObject | null = null;
  for (const [key, item] of Object.entries(value)) {
    const isSound = AUDIO.test(key) || (isAudioEvent && PIECES.includes(key));
    const next = isSound
      ? soundIn(item, sink, declaredType(value) ?? type)
      : walk(item, sink, type, depth + 1);
    if (next === item) continue;
    copy ??= { ...value };
    copy[key] = next;
  }
  return copy ?? value;
}

/** Base64, a data URL, or an object with one of them. The pieces of a stream are one sound. */
function soundIn(value: JsonValue, sink: HarvestSink, type: string | null): JsonValue {
  if (isJsonObject(value)) {
    const name = INSIDE.find((key) => typeof value[key] === 'string');
    const inner = name === undefined ? undefined : value[name];
    if (name === undefined || inner === undefined) return value;
    const stored = soundIn(inner, sink, declaredType(value) ?? type);
    return stored === inner ? value : { ...value, [name]: stored };
  }
  if (typeof value !== 'string') return value;
  const dataUrl = readDataUrl(value);
  const piece = dataUrl?.base64 ?? base64Piece(value);
  if (piece === '') return value;
  return mediaReference(sink.append('speech', piece, dataUrl?.type ?? type, 'speech'));
}

function declaredType({ mime_type, mimeType, content_type }: JsonObject): string | null {
  const type = mime_type ?? mimeType ?? content_type;
  return typeof type === 'string' && type.startsWith('audio/') ? type : null;
}
