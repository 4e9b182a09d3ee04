/** Finds the URL of an audio file in a response that doesn't contain the audio itself. */
import { isJsonObject, type JsonValue } from '../../shared/json.ts';

const MAX_DEPTH = 8;
const MAX_LENGTH = 4096;

const AUDIO_NAME = /audio|speech|sound/i;
/** Generic field names that may contain the file's URL if no field has a more specific name. */
const FILE_NAME = /^(?:data|download|files?|href|link|outputs?|path|result|src)$|ur[il]s?$/i;
/** URLs in these fields point to something else, such as a task's status or cover art. */
const OTHER_NAME =
  /image|video|cover|avatar|subtitle|caption|lyric|doc|help|hook|callback|status|cancel|poll|task|response_/i;
const AUDIO_FILE = /\.(?:aac|aiff?|flac|m4a|mp3|oga|ogg|opus|pcm|wav|wave|weba)$/i;
const OTHER_FILE = /\.(?:gif|html?|jpe?g|json|lrc|pdf|png|srt|svg|txt|vtt|webp|xml|ya?ml)$/i;

interface Candidate {
  address: string;
  score: number;
}

/** Prefers audio names and extensions; returns null if nothing looks like a file URL. */
export function findAudioAddress(json: JsonValue): string | null {
  let best: Candidate | null = null;
  for (const candidate of collect(json, '', false, 0)) {
    if (best === null || candidate.score > best.score) best = candidate;
  }
  return best?.address ?? null;
}

function* collect(
  value: JsonValue,
  name: string,
  isInAudio: boolean,
  depth: number,
): Generator<Candidate> {
  if (depth > MAX_DEPTH) return;
  const isAudio = AUDIO_NAME.test(name) || (isInAudio && !OTHER_NAME.test(name));
  if (typeof value === 'string') {
    const score = rateAddress(value.trim(), name, isAudio);
    if (score > 0) yield { address: value.trim(), score };
  } else if (Array.isArray(value)) {
    for (const item of value) yield* collect(item, name, isAudio, depth + 1);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* collect(item, key, isAudio, depth + 1);
  }
}

/** Returns 0 for text that isn't the URL of an audio file. */
function rateAddress(text: string, name: string, isAudio: boolean): number {
  if (text === '' || text.length > MAX_LENGTH || /\s/.test(text)) return 0;
  const isWhole = /^https?:\/\//i.test(text) && URL.canParse(text);
  const path = (isWhole ? new URL(text).pathname : text).split(/[?#]/, 1)[0] ?? '';
  const isFile = AUDIO_FILE.test(path);
  if (!isWhole && !text.startsWith('/') && !isFile) return 0;
  if (OTHER_FILE.test(path)) return 0;
  if (isFile) return isAudio ? 4 : 3;
  if (OTHER_NAME.test(name)) return 0;
  if (isAudio) return 2;
  return FILE_NAME.test(name) ? 1 : 0;
}
