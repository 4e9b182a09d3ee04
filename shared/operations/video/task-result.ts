/** Where a task reply has its video: an address, a path, or a medium that main took out of the reply. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { referencedMedia } from '../../media-reference.ts';

/** Lists first: where there are several videos, they are in one of them. */
const PLACES = [
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
const SCHEME = /^[a-z][a-z0-9+.-]*:\S+$/i;
const ROOTED = /^\/\S+$/;
/** Without a slash in front, it is a path where an address belongs, or by the end of its name. */
const PATH = /^[\w.~%-]+(?:\/[\w.~%-]+)*(?:\?\S*)?$/;
const VIDEO_FILE = /^[^\s?]+\.(?:mp4|webm|mov|mkv)(?:\?\S*)?$/i;

/** Several where the reply lists several videos. Media that were part of the reply are references. */
export function resultAddresses(layers: readonly JsonObject[]): string[] {
  for (const place of PLACES) {
    for (const layer of layers) {
      const found = addresses(layer[place], place);
      if (found.length > 0) return [...new Set(found)];
    }
  }
  return [];
}

function addresses(value: JsonValue | undefined, place: string): string[] {
  if (typeof value === 'string') {
    const isPath = /url/i.test(place) && PATH.test(value);
    return isAddress(value) || isPath ? [value] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => addresses(item, place));
  return isJsonObject(value) && typeof value.url === 'string' ? addresses(value.url, 'url') : [];
}

/** Also what cannot be fetched, so that it is named as the reason. */
export function isAddress(text: string): boolean {
  return (
    referencedMedia(text) !== null ||
    SCHEME.test(text) ||
    ROOTED.test(text) ||
    VIDEO_FILE.test(text)
  );
}
