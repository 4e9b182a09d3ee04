/** Where a task reply has its video: an address, a path, or a medium that main took out of the reply. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { referencedMedia } from '../../media-reference.ts';

/** Lists first: where there are several videos, they are in one of them. Main takes data URLs out of these. */
export const videoPlaces = [
  'videos',
  'urls',
  'video_urls',
  'outputs',
  'data',
  'url',
  'result_url',
  'video_url',
  'videoUrl',
  'download_url',
  'file_url',
  'video',
  'output',
  'result',
  'b64_json',
];
/** Also what cannot be fetched, so that it is named as the reason. A word with a colon may be an ID. */
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/\/|data:[^,\s]*,)\S+$/i;
const ROOTED = /^\/\S+$/;
/** Without a slash in front, it is a path where an address belongs, or by the end of its name. */
const PATH = /^[\w.~%-]+(?:\/[\w.~%-]+)+(?:\?\S*)?$/;
/** Of a task that is done it is a file, of another one perhaps a word. */
const FILE = /^[\w.~%-]+(?:\?\S*)?$/;
const VIDEO_FILE = /^[^\s?]+\.(?:mp4|webm|mov|mkv)(?:\?\S*)?$/i;

/** Several where the reply lists several videos. Media that were part of the reply are references. */
export function resultAddresses(layers: readonly JsonObject[], isCompleted: boolean): string[] {
  function addresses(value: JsonValue | undefined, place: string): string[] {
    if (typeof value === 'string') {
      const isPath = /url/i.test(place) && (PATH.test(value) || (isCompleted && FILE.test(value)));
      return isPath || isAddress(value) ? [value] : [];
    }
    if (Array.isArray(value)) return value.flatMap((item) => addresses(item, place));
    return isJsonObject(value) && typeof value.url === 'string' ? addresses(value.url, 'url') : [];
  }

  for (const place of videoPlaces) {
    for (const layer of layers) {
      const found = addresses(layer[place], place);
      if (found.length > 0) return [...new Set(found)];
    }
  }
  return [];
}

export function isAddress(text: string): boolean {
  return (
    referencedMedia(text) !== null ||
    SCHEME.test(text) ||
    ROOTED.test(text) ||
    VIDEO_FILE.test(text)
  );
}
