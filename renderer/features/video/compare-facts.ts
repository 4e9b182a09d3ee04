import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Media } from '../../../shared/media.ts';
import type { VideoState } from '../../../shared/operations/video/state.ts';
import { formatName } from '../../media/players/describe-media.ts';

/** One property of the video: as asked, as the gateway's reply says, and as measured. */
export interface ComparedFact {
  name: string;
  asked: string | null;
  told: string | null;
  measured: string | null;
  /** What was measured is not what was asked. */
  differs: boolean;
}

/** Only what somebody said something about. */
export function compareFacts(
  request: JsonObject,
  { format, metadata }: Pick<VideoState, 'format' | 'metadata'>,
  media: Media | null,
): ComparedFact[] {
  const told = metadata ?? {};
  const rows: ComparedFact[] = [
    fact('Format', null, format, media && formatName(media.type), false),
    number('Duration', request.duration, told.duration, media?.durationSeconds, ' s', 0.5),
    number('Width', request.width, told.width, media?.width, '', 0),
    number('Height', request.height, told.height, media?.height, '', 0),
    number('Frame rate', request.fps, told.fps, media?.frameRate, ' fps', 0.1),
    fact('Seed', shown(request.seed), shown(told.seed), null, false),
  ];
  return rows.filter((row) => row.asked !== null || row.told !== null || row.measured !== null);
}

const compared = new Set(['duration', 'width', 'height', 'fps', 'seed']);

/** What else the reply's metadata holds. */
export function otherMetadata(metadata: JsonObject | null): [string, string][] {
  return Object.entries(metadata ?? {}).flatMap(([name, value]) => {
    const text = shown(value);
    return compared.has(name) || text === null ? [] : [[name, text]];
  });
}

function number(
  name: string,
  asked: JsonValue | undefined,
  told: JsonValue | undefined,
  measured: number | null | undefined,
  unit: string,
  tolerance: number,
): ComparedFact {
  const rounded = measured == null ? null : Number(measured.toFixed(2));
  const differs =
    typeof asked === 'number' && rounded !== null && Math.abs(asked - rounded) > tolerance;
  const withUnit = (value: JsonValue | undefined) => {
    const text = shown(value);
    return text === null ? null : `${text}${unit}`;
  };
  return fact(name, withUnit(asked), withUnit(told), withUnit(rounded), differs);
}

function fact(
  name: string,
  asked: string | null,
  told: string | null,
  measured: string | null,
  differs: boolean,
): ComparedFact {
  return { name, asked, told, measured, differs };
}

function shown(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return value;
  return isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}
