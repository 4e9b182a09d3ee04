import {
  getString,
  isJsonObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
} from '../../../shared/json.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import type { VideoInput } from '../../../shared/operations/video/request.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { type ComparedInput, createPromptField } from '../../run/compare/compared-input.ts';

/** An entry of `metadata`; it isn't sent while its value is empty. */
export type MetadataRow = VideoInput['rows'][number];

/** The rows of a new form, which the user can clear but not remove. */
export const firstRows: readonly MetadataRow[] = emptyInputs.video.rows;

export function toVideoFields({
  prompt,
  image,
  lastFrame,
  references,
  rows,
}: VideoInput): JsonObject {
  const metadata = getMetadata(rows);
  return {
    ...(prompt !== '' && { prompt }),
    ...(image !== '' && { image }),
    ...(lastFrame !== '' && { last_frame: lastFrame }),
    ...(references.length > 0 && { images: references }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

export function readForm(request: JsonObject): VideoInput {
  const metadata = isJsonObject(request.metadata) ? request.metadata : {};
  const defaultRows = firstRows.map(({ name }) => ({ name, value: formatRowText(metadata[name]) }));
  const others = Object.entries(metadata)
    .filter(([name]) => firstRows.every((row) => row.name !== name))
    .map(([name, value]) => ({ name, value: formatRowText(value) }));
  return {
    prompt: getString(request.prompt),
    image: getString(request.image),
    lastFrame: getString(request.last_frame),
    references: Array.isArray(request.images) ? request.images.map(getString).filter(Boolean) : [],
    rows: [...defaultRows, ...others],
  };
}

/** Returns true if the form has something to make a video from. */
export function hasSource({ prompt, image, lastFrame, references }: VideoInput): boolean {
  return [prompt, image, lastFrame, ...references].some((text) => text !== '');
}

export function countSetRows({ rows }: Pick<VideoInput, 'rows'>): number {
  return Object.keys(getMetadata(rows)).length;
}

/** Returns the first duplicate name, or null; if a name repeats, only its last row would count. */
export function findDuplicateName(rows: readonly MetadataRow[]): string | null {
  const seen = new Set<string>();
  for (const { name, value } of rows) {
    if (value === '') continue;
    if (seen.has(name.trim())) return name.trim();
    seen.add(name.trim());
  }
  return null;
}

export function getMetadata(rows: readonly MetadataRow[]): JsonObject {
  return Object.fromEntries(
    rows
      .filter(({ name, value }) => name.trim() !== '' && value !== '')
      .map(({ name, value }) => [name.trim(), readRowValue(value)]),
  );
}

/** Sends valid JSON as JSON and anything else as text. */
function readRowValue(text: string): JsonValue {
  if (!/^\s*(?:[[{"]|-?\d|true|false|null)/.test(text)) return text;
  return parseJson(text) ?? text;
}

/** Returns the row text that produces the given sent value. */
export function formatRowText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return readRowValue(value) === value ? value : JSON.stringify(value);
}

export const comparedVideo: ComparedInput = {
  promptField: createPromptField('prompt', 'Prompt', 'Prompts'),
  own: {
    write: (input) => ('rows' in input ? toVideoFields(input) : {}),
    read: readForm,
  },
  settings: {
    fields(input) {
      const rows = 'rows' in input ? input.rows : [];
      const values = new Map(rows.map(({ name, value }) => [name.trim(), value]));
      values.delete('');
      return [...values].map(([name, value]) => ({ name, label: name, value, suggestions: [] }));
    },
    write: (own, settings) => ({
      metadata: {
        ...readMetadata(own),
        ...getMetadata(Object.entries(settings).map(([name, value]) => ({ name, value }))),
      },
    }),
    read(own, sent) {
      const known = readMetadata(own);
      return Object.fromEntries(
        Object.entries(readMetadata(sent))
          .filter(([name, value]) => !isSameJson(value, known[name]))
          .map(([name, value]) => [name, formatRowText(value)]),
      );
    },
  },
};

function readMetadata({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}
