/** Reads an answer's sources and the citations in its text that refer to them. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { SOURCE_LISTS } from '../response/other-fields.ts';
import { readNumber } from '../response/values.ts';
import type { ChatChoice, ChatState } from './state.ts';

export interface Source {
  /** The number that citations in the text use for the source. */
  number: number;
  /** Null if the gateway named the source without a web address. */
  url: string | null;
  title: string | null;
  /** Citations of the source in the text other than its number in brackets. */
  marks: string[];
}

/** Fields that contain a list of sources among other fields. */
const CONTAINERS = [
  // https://help.aliyun.com/zh/model-studio/web-search
  'search_info',
  // https://learn.microsoft.com/azure/ai-services/openai/references/on-your-data
  'context',
  // https://console.groq.com/docs/web-search
  'executed_tools',
  // https://docs.litellm.ai/docs/completion/web_search
  ...['provider_specific_fields', 'vertex_ai_grounding_metadata', 'grounding_metadata'],
];

const INNER_LISTS = [
  'citations',
  'search_results',
  'results',
  'groundingChunks',
  'grounding_chunks',
];

/** Returns sources sorted by number; the order of the first list determines the numbers. */
export function readSources(
  response: Pick<ChatState, 'other'>,
  choice: Pick<ChatChoice, 'message' | 'other'>,
): Source[] {
  const levels = [choice.message, choice.other, response.other];
  const sources: Source[] = [];
  for (const name of [...SOURCE_LISTS, ...CONTAINERS]) {
    for (const level of levels) addList(sources, readList(name, level[name]));
  }
  for (const { item, text } of levels.flatMap(getAnnotations)) {
    addAnnotation(sources, item, text);
  }
  return sources.sort((one, other) => one.number - other.number);
}

/** Whether the sources show everything in the field, so that it isn't shown again. */
export function isShownAsSources(name: string, value: JsonValue): boolean {
  if (name !== 'annotations' && !SOURCE_LISTS.includes(name)) return false;
  const items = flatten(value);
  if (items.length === 0) return Array.isArray(value);
  return items.every((item) => readItem(item, true) !== null);
}

function readList(name: string, value: JsonValue | undefined): (ReadSource | null)[] {
  if (value === undefined) return [];
  const needsUrl = name !== 'citations';
  const items = flatten(value).map((item) => readItem(item, needsUrl));
  return items.every((item) => item === null) ? [] : items;
}

function flatten(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap(flatten);
  if (!isJsonObject(value)) return value === null ? [] : [value];
  const inner = INNER_LISTS.map((name) => value[name]).find(isListOrObject);
  return inner === undefined ? [value] : flatten(inner);
}

function isListOrObject(value: JsonValue | undefined): boolean {
  return Array.isArray(value) || isJsonObject(value);
}

interface ReadSource {
  url: string | null;
  title: string | null;
  index: number | null;
}

function readItem(item: JsonValue, needsUrl: boolean): ReadSource | null {
  if (typeof item === 'string') {
    const url = readUrl(item);
    if (url !== null) return { url, title: null, index: null };
    const title = item.trim();
    return needsUrl || title === '' ? null : { url: null, title, index: null };
  }
  if (!isJsonObject(item)) return null;
  const inside = [item.url_citation, item.web, item.document, item.source].find(isJsonObject);
  const source = inside ?? item;
  const { uri, link, href, source_url: sourceUrl, source: name } = source;
  const url = findFirstText([source.url, uri, link, href, sourceUrl, name], readUrl);
  const { filename, file_name: fileName, filepath, site_name: site } = source;
  const title = findFirstText(
    [source.title, source.name, filename, fileName, filepath, site],
    readTitle,
  );
  if (url === null && (needsUrl || title === null)) return null;
  return { url, title, index: readIndex(item.index ?? item.number ?? item.refer) };
}

function findFirstText(
  values: readonly (JsonValue | undefined)[],
  read: (text: string) => string | null,
): string | null {
  for (const value of values) {
    const text = typeof value === 'string' ? read(value) : null;
    if (text !== null) return text;
  }
  return null;
}

function readUrl(text: string): string | null {
  const url = text.trim();
  return /^https?:\/\/\S+$/i.test(url) ? url : null;
}

function readTitle(text: string): string | null {
  return text.trim().replace(/\s+/g, ' ') || null;
}

/** Reads `3` and `ref_3`. */
function readIndex(value: JsonValue | undefined): number | null {
  const digits = typeof value === 'string' ? /\d+$/.exec(value)?.[0] : value;
  const index = readNumber(digits);
  return index !== null && Number.isInteger(index) && index > 0 ? index : null;
}

/** Numbers items of the first list by position or index, and appends new items of later lists. */
function addList(sources: Source[], items: readonly (ReadSource | null)[]): void {
  const isFirst = sources.length === 0;
  const indexes = new Set(items.map((item) => item?.index ?? null));
  const isIndexed = !indexes.has(null) && indexes.size === items.length;
  for (const [position, item] of items.entries()) {
    if (item === null) continue;
    const { url, title, index } = item;
    const known = isFirst ? undefined : findSource(sources, item);
    if (known) known.title ??= title;
    else {
      const own = isIndexed && index !== null ? index : position + 1;
      sources.push({ number: isFirst ? own : getNextNumber(sources), url, title, marks: [] });
    }
  }
}

function findSource(sources: readonly Source[], { url, title }: ReadSource): Source | undefined {
  return sources.find((source) =>
    url === null ? source.title === title : source.url !== null && isSameUrl(source.url, url),
  );
}

function isSameUrl(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function getNextNumber(sources: readonly Source[]): number {
  return Math.max(0, ...sources.map(({ number }) => number)) + 1;
}

interface Annotation {
  item: JsonValue;
  /** The text that the annotation's positions refer to. */
  text: string;
}

/** Content parts may also have annotations. */
function getAnnotations({ annotations, content }: JsonObject): Annotation[] {
  const text = typeof content === 'string' ? content : '';
  const own = annotations === undefined ? [] : flatten(annotations);
  return [
    ...own.map((item) => ({ item, text })),
    ...(Array.isArray(content) ? content : []).flatMap((part) => {
      if (!isJsonObject(part) || part.annotations === undefined) return [];
      const partText = typeof part.text === 'string' ? part.text : '';
      return flatten(part.annotations).map((item) => ({ item, text: partText }));
    }),
  ];
}

/** An annotation that spans a citation says which source the citation refers to. */
function addAnnotation(sources: Source[], item: JsonValue, text: string): void {
  const read = readItem(item, true);
  if (read === null || !isJsonObject(item)) return;
  const place = isJsonObject(item.url_citation) ? item.url_citation : item;
  const mark = getAnnotatedMark(text, readNumber(place.start_index), readNumber(place.end_index));
  const [number] = mark === null ? [] : getNumbers(mark);
  const isFree = number && sources.every((known) => known.number !== number);
  let source = findSource(sources, read);
  if (source) source.title ??= read.title;
  else {
    const { url, title } = read;
    source = { number: isFree ? number : getNextNumber(sources), url, title, marks: [] };
    sources.push(source);
  }
  const isOther = mark !== null && mark !== `[${source.number}]`;
  if (isOther && !source.marks.includes(mark)) source.marks.push(mark);
}

/** Some gateways count UTF-16 units, others code points. */
function getAnnotatedMark(text: string, start: number | null, end: number | null): string | null {
  if (start === null || end === null || end <= start || end - start > MAX_MARK) return null;
  const bySymbol = () => [...text].slice(start, end).join('');
  return [() => text.slice(start, end), bySymbol].map((cut) => cut().trim()).find(isMark) ?? null;
}

const MAX_MARK = 100;

/** Matches `[1]`, `[1, 2]`, `[^1]`, `[ref_1]`, `[citation:1]`, `【1†source】` and `【4:1†source】`. */
const MARK =
  /【(?:\d{1,3}:)?\d{1,3}(?:†[^】\n]{0,80})?】|\[\^?(?:(?:ref|citation|source|doc|web)[ _:]?)?\d{1,3}(?:[,，] ?\^?\d{1,3})*\]/gi;

function isMark(text: string): boolean {
  return text.replace(MARK, '') === '' && text.match(MARK)?.length === 1;
}

function getNumbers(mark: string): number[] {
  const inside = mark.replace(/^【\d+:/, '').replace(/†.*/, '');
  return (inside.match(/\d+/g) ?? []).map(Number);
}

export interface SourceMark {
  text: string;
  source: Source;
}

/** Splits a text at the citations of its sources. */
export function splitMarks(text: string, sources: readonly Source[]): (string | SourceMark)[] {
  const pieces: (string | SourceMark)[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    for (const { source, start, end } of findReferences(mark, sources)) {
      if (index + start > from) pieces.push(text.slice(from, index + start));
      pieces.push({ text: mark.slice(start, end), source });
      from = index + end;
    }
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

interface Reference {
  source: Source;
  /** Position within the citation. */
  start: number;
  end: number;
}

/** A citation with several numbers has one reference per number. */
function findReferences(mark: string, sources: readonly Source[]): Reference[] {
  const whole = { start: 0, end: mark.length };
  const named = sources.find(({ marks }) => marks.includes(mark));
  if (named) return [{ source: named, ...whole }];
  const numbers = getNumbers(mark);
  const places = numbers.length === 1 ? [whole] : [...mark.matchAll(/\d+/g)].map(getPlace);
  return places.flatMap((place, at) => {
    const source = sources.find(({ number }) => number === numbers[at]);
    return source ? [{ source, ...place }] : [];
  });
}

function getPlace({ 0: digits, index }: RegExpExecArray): { start: number; end: number } {
  return { start: index, end: index + digits.length };
}
