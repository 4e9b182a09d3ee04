/** Finds video URLs at any depth of a response. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { findReferencedMedia } from '../../media.ts';
import { parseJson } from '../../parse-json.ts';

/** Lists come first, to return every video; the main process also extracts data URLs from these. */
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
  'unsigned_urls',
  'result_urls',
  'output_url',
  'media_url',
  'play_url',
  'resource',
  'uri',
  'gcsUri',
  'data_url',
  'bytesBase64Encoded',
  'encodedVideo',
  'videoBytes',
  'video_base64',
];

/** Includes unsupported schemes, to report them; requires `://`, because an ID may have a colon. */
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/\/|data:[^,\s]*,)\S+$/i;
const ROOTED = /^\/\S+$/;
/** Matches a relative path; used only for URL fields. */
const PATH = /^[\w.~%-]+(?:\/[\w.~%-]+)+(?:\?\S*)?$/;
/** Matches a bare file name; used only for URL fields of a completed task. */
const FILE = /^[\w.~%-]+(?:\?\S*)?$/;
const VIDEO_FILE = /^[^\s?]+\.(?:mp4|webm|mov|mkv|m4v)(?:[?#]\S*)?$/i;
/** Matches files that come with a video, such as a cover image. */
const OTHER_FILE =
  /^[^\s?]+\.(?:png|jpe?g|webp|gif|svg|avif|heic|mp3|wav|m4a|aac|flac|srt|vtt|txt|json|html?|m3u8)(?:[?#]\S*)?$/i;
/** Matches a file endpoint, or a signed URL that includes its file type. */
const VIDEO_ADDRESS =
  /^(?:https?:\/\/|\/)\S+(?:\/content(?:\?\S*)?|[?&][\w-]*(?:type|mime|format)=(?:video|mp4)\S*)$/i;
const MAX_LENGTH = 8192;

export function isAddress(text: string): boolean {
  return (
    findReferencedMedia(text) !== null ||
    SCHEME.test(text) ||
    ROOTED.test(text) ||
    VIDEO_FILE.test(text)
  );
}

/** Returns true if the URL itself indicates a video. */
export function namesVideo(address: string): boolean {
  const isWeb = ROOTED.test(address) || /^https?:/i.test(address);
  return !isWeb || VIDEO_FILE.test(address) || VIDEO_ADDRESS.test(address);
}

/** Field names are compared in lowercase and without separators. */
const PLACE = new Map(
  videoPlaces.map((place, at) => [normalizeName(place), at] as const).toReversed(),
);
const UNKNOWN = videoPlaces.length;
const CLEAN = /(?:without|no|non|un)watermark(?:ed)?|watermark(?:free|less|removed)/;
const MARKED = /watermark(?:ed)?/;
const PREVIEW = /preview/;
/** Fields that contain other files, the request or the task itself. */
const NOT_RESULT =
  /cover|thumb|poster|snapshot|sprite|avatar|logo|gif|frame|subtitle|caption|prompt|webhook|callback|poll|cancel|statusur|responseur|^(?:inputs?|requests?|param(?:eter)?s?|options|config|settings|usage|errors?|get|self|web|stream)$|^(?:input|reference|source)/;
const NOT_VIDEO = /image|img|picture|photo|audio|music|sound|voice/;
/** Matches the type of a non-video part, but not a task type such as `image_to_video`. */
const OTHER_TYPE = /^(?:image|img|cover|thumbnail|poster|audio|subtitle|text)s?(?:\/|$|_url$)/i;
const TYPES = ['type', 'content_type', 'contentType', 'mimeType', 'mime_type', 'media_type'];

const MAX_DEPTH = 12;
const MAX_COUNT = 5000;

/** Lower values are preferred. */
const quality = { clean: 0, plain: 1, likely: 2, marked: 3, preview: 4, other: 5 } as const;
type Quality = (typeof quality)[keyof typeof quality];

interface Place {
  /** Field names from the outermost object; items of the same list have the same path. */
  path: string;
  name: string;
  depth: number;
  quality: Quality;
}

interface Found {
  addresses: string[];
  isOther: boolean;
  path: string;
  rank: number;
  depth: number;
}

/** Unknown fields count only if the task is complete; before that, they may echo the request. */
export type LinkScope = 'live' | 'over' | 'completed';

/** Returns the URLs in the best field, one per object of a list; ignores those of the task itself. */
export function findVideoLinks(
  response: JsonObject,
  scope: LinkScope,
  isTaskUrl: (url: string) => boolean = () => false,
): string[] {
  const found: Found[] = [];
  const quoted: string[] = [];
  let count = 0;

  function search(value: JsonValue, place: Place): void {
    count += 1;
    if (place.depth > MAX_DEPTH || count > MAX_COUNT) return;
    if (Array.isArray(value)) {
      for (const item of value) search(item, { ...place, depth: place.depth + 1 });
      return;
    }
    if (typeof value === 'string') {
      const json = parseNested(value);
      if (json !== null) search(json, place);
      else if (scope === 'completed') quoted.push(...findQuoted(value));
      return;
    }
    if (!isJsonObject(value) || (place.depth > 0 && isOtherType(value))) return;
    let best: Found | null = null;
    for (const [field, item] of Object.entries(value)) {
      const name = normalizeName(field);
      if (isExcluded(name)) continue;
      const inside = within(place, name);
      const own = readField(item, inside, place, scope, isTaskUrl);
      if (own === null) search(item, inside);
      else if (best === null || own.rank < best.rank) best = own;
    }
    if (best !== null) found.push(best);
  }

  search(response, { path: '', name: '', depth: 0, quality: quality.plain });
  const [best] = found.toSorted((a, b) => a.rank - b.rank || a.depth - b.depth);
  if (best === undefined) return [...new Set(quoted)];
  const all = found.filter(({ path, isOther }) => path === best.path && isOther === best.isOther);
  return [...new Set(all.flatMap(({ addresses }) => addresses))];
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Accepts names such as `image_to_video`, which produces a video. */
function isExcluded(name: string): boolean {
  return NOT_RESULT.test(name) || (NOT_VIDEO.test(name) && !name.includes('video'));
}

function isOtherType(value: JsonObject): boolean {
  return TYPES.some((name) => {
    const type = value[name];
    return typeof type === 'string' && OTHER_TYPE.test(type);
  });
}

/** Some gateways include the provider's response as a JSON string. */
function parseNested(text: string): JsonValue | null {
  const json = /^\s*[{[]/.test(text) ? parseJson(text) : null;
  return isJsonObject(json) || Array.isArray(json) ? json : null;
}

const QUOTED = /https?:\/\/[^\s"'<>()[\]]+?\.(?:mp4|webm|mov|mkv|m4v)(?:\?[^\s"'<>()[\]]*)?/gi;

/** Finds links in prose or Markdown, which some gateways use to return a video. */
function findQuoted(text: string): string[] {
  return text.length > MAX_LENGTH ? [] : (text.match(QUOTED) ?? []);
}

function within({ path, depth, quality: outer }: Place, name: string): Place {
  const own = getQuality(name);
  const isPlain = own === quality.plain || (own === quality.clean && outer > quality.plain);
  return { path: `${path}.${name}`, name, depth: depth + 1, quality: isPlain ? outer : own };
}

function getQuality(name: string): Quality {
  if (CLEAN.test(name)) return quality.clean;
  if (MARKED.test(name)) return quality.marked;
  if (PREVIEW.test(name)) return quality.preview;
  // Metadata may echo the request.
  return name === 'metadata' ? quality.likely : quality.plain;
}

/** Returns null if the field has no video URL. */
function readField(
  value: JsonValue,
  field: Place,
  holder: Place,
  scope: LinkScope,
  isTaskUrl: (url: string) => boolean,
): Found | null {
  const known = PLACE.get(getBaseName(field.name));
  const isCompleted = scope === 'completed';
  const isKnown = known !== undefined && (isCompleted || field.quality !== quality.likely);
  const addresses = readTexts(value).filter(
    (text) =>
      (isKnown ? isLink(text, field.name, isCompleted) : isLikely(text, field.name, scope)) &&
      !isTaskUrl(text),
  );
  const isOther = addresses.every((text) => OTHER_FILE.test(text));
  if (addresses.length === 0 || (isOther && !isKnown)) return null;
  const own = isKnown ? field.quality : Math.max(field.quality, quality.likely);
  const outer = PLACE.get(getBaseName(holder.name)) ?? UNKNOWN;
  const place = isKnown ? Math.min(known, outer) : UNKNOWN;
  const rank = (isOther ? quality.other : own) * (UNKNOWN + 1) + place;
  return { addresses, isOther, path: holder.path, rank, depth: holder.depth };
}

/** Returns `url` for a name such as `url_without_watermark`. */
function getBaseName(name: string): string {
  return name.replace(CLEAN, '').replace(MARKED, '').replace(PREVIEW, '');
}

/** Returns the texts in a field or in a list, which may be nested. */
function readTexts(value: JsonValue): string[] {
  if (typeof value === 'string') return [value.trim()];
  return Array.isArray(value) ? value.flatMap(readTexts) : [];
}

function isLink(text: string, name: string, isCompleted: boolean): boolean {
  const isPath = /ur[li]|resource/.test(name) && PATH.test(text);
  return isPath || isAddress(text) || (isCompleted && /ur[li]/.test(name) && FILE.test(text));
}

function isLikely(text: string, name: string, scope: LinkScope): boolean {
  if (text.length > MAX_LENGTH || scope === 'live' || !text.includes('/')) return false;
  // Older gateways put the URL in `fail_reason`.
  if (name === 'failreason') return /^(?:https?:\/\/|\/)\S+$/i.test(text);
  if (scope === 'over') return false;
  const isNamed = name.includes('video') && /^https?:\/\/\S+$/i.test(text);
  return isNamed || VIDEO_FILE.test(text) || VIDEO_ADDRESS.test(text);
}
