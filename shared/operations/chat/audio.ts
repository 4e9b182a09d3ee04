/** Reads `audio` of a delta or message after its bytes were moved to the media store. */
import { isJsonObject, type JsonValue } from '../../json.ts';
import { referencedMedia } from '../../media.ts';
import type { Warn } from '../response/values.ts';
import type { AudioState } from './state.ts';

/** Returns the same object if nothing was added. */
export function addAudio(
  audio: AudioState | null,
  value: JsonValue | undefined,
  warn: Warn,
): AudioState | null {
  if (value === undefined || value === null) return audio;
  if (!isJsonObject(value)) {
    warn('The audio in the answer isn’t a JSON object.');
    return audio;
  }
  const before = audio ?? emptyAudio;
  const media = typeof value.data === 'string' ? referencedMedia(value.data) : null;
  const transcript = typeof value.transcript === 'string' ? value.transcript : '';
  const next: AudioState = {
    id: typeof value.id === 'string' ? value.id : before.id,
    media: media ?? before.media,
    transcript: before.transcript + transcript,
    expiresAt: typeof value.expires_at === 'number' ? value.expires_at : before.expiresAt,
  };
  const isSame =
    next.id === before.id &&
    next.media === before.media &&
    transcript === '' &&
    next.expiresAt === before.expiresAt;
  return isSame ? audio : next;
}

const emptyAudio: AudioState = { id: null, media: null, transcript: '', expiresAt: null };
