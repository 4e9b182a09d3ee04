/** Converts the news in a Responses event to a delta of the answer. */
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../json.ts';
import type { ChatState } from '../state.ts';
import { type ItemPlace, type PartPlace, partPlaces } from './places.ts';

export type KnownState = Pick<ChatState, 'choices'>;

/** Collects one delta; `items` are the answer's items so far, each with its `index`. */
export interface DeltaDraft {
  items: JsonObject[];
  /** The texts of the message so far. */
  texts: Record<PartPlace['field'], string>;
  delta: JsonObject;
  logprobs: JsonValue[];
}

export function createDraft({ choices }: KnownState): DeltaDraft {
  const { items, content, refusal, reasoning } = choices[0]?.message ?? {};
  return {
    items: readObjects(items),
    texts: {
      content: readText(content),
      refusal: readText(refusal),
      reasoning: readText(reasoning),
    },
    delta: {},
    logprobs: [],
  };
}

function readObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function readText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function findByIndex(
  { items }: DeltaDraft,
  index: number,
  type: JsonValue | undefined,
): JsonObject | undefined {
  return items.findLast((item) => item.index === index && item.type === type);
}

interface Match {
  item: JsonObject;
  known: JsonObject | undefined;
  index: number;
}

/** Pairs the items of a whole response with those that were streamed, first by type and order. */
export function findByOrder({ items }: DeltaDraft, output: readonly JsonObject[]): Match[] {
  const counts = new Map<JsonValue, number>();
  const used = new Set(items.map(({ index }) => index));
  let free = 0;
  return output.map((item) => {
    const type = item.type ?? null;
    const count = counts.get(type) ?? 0;
    counts.set(type, count + 1);
    const known = items.filter((one) => one.type === type)[count];
    if (known !== undefined) return { item, known, index: Number(known.index) };
    while (used.has(free)) free += 1;
    used.add(free);
    return { item, known, index: free };
  });
}

/** Appends to a list of the delta, whose items are joined by `index`. */
function append(draft: DeltaDraft, name: string, ...values: JsonValue[]): void {
  const before = draft.delta[name];
  draft.delta[name] = [...(Array.isArray(before) ? before : []), ...values];
}

/** Adds fields to a known item. */
export function addItem(draft: DeltaDraft, { index, type }: JsonObject, fields: JsonObject): void {
  append(draft, 'items', {
    ...(index !== undefined && { index }),
    ...(type !== undefined && { type }),
    ...fields,
  });
}

interface Target {
  /** Undefined if the item is new. */
  known: JsonObject | undefined;
  index: number;
}

/** Adds content of the item's snapshot that the known item lacks. */
export function syncItem(
  draft: DeltaDraft,
  { item, isDone, ...target }: Target & { item: JsonObject; isDone: boolean },
): void {
  const { index } = target;
  const known = target.known ?? { index, type: item.type ?? null };
  const places = [...partPlaces.values()].filter(({ itemType }) => itemType === item.type);
  const lists = new Set(places.map((place) => place.list));
  for (const list of lists) {
    const parts = readObjects(item[list]);
    for (const [at, part] of parts.entries()) {
      const place = places.find((one) => one.list === list && one.partType === part.type);
      const before = target.known ?? { [list]: parts.slice(0, at) };
      if (place !== undefined) syncPart(draft, { known: before, index, place, at, part });
    }
  }
  const isCall = item.type === 'function_call' || item.type === 'custom_tool_call';
  if (isCall) syncCall(draft, target, item);
  if (item.type === 'image_generation_call' && readText(item.result) !== '') {
    append(draft, 'images', { index, image_url: { url: item.result ?? '' } });
  }
  if (isDone && isJsonObject(item.action) && Array.isArray(item.action.sources)) {
    append(draft, 'search_results', ...item.action.sources);
  }
  const isShown = places.length > 0;
  if (isDone) addItem(draft, { ...known, index }, getNews(item, known, lists));
  else if (!isShown) addItem(draft, { ...known, index }, getLabels(item));
}

/** Other fields are complete only when the item is done, encrypted reasoning included. */
function getLabels(item: JsonObject): JsonObject {
  const { id: _id, encrypted_content: _secret, type: _type, ...others } = item;
  return Object.fromEntries(
    Object.entries(others).filter(([, value]) => typeof value !== 'object' && value !== ''),
  );
}

/** Returns fields that are new compared with the known item, except the parts in `lists`. */
function getNews(item: JsonObject, known: JsonObject, lists: ReadonlySet<string>): JsonObject {
  const news: JsonObject = {};
  for (const [name, value] of Object.entries(item)) {
    const old = known[name];
    if (name === 'type' || name === 'index' || value === null) continue;
    if (name === 'id' && old !== undefined) continue;
    const isParts = Array.isArray(value) && lists.has(name);
    if (isParts && (old !== undefined || value.length > 0)) continue;
    if (old === undefined) news[name] = value;
    else if (typeof old === 'string' && name !== 'status') {
      const rest = getRest(old, readText(value));
      if (rest !== '') news[name] = rest;
    } else if (typeof value !== 'object' || isEmpty(old)) news[name] = value;
  }
  return news;
}

function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Returns nothing if the gateway ends with an empty or different text. */
function getRest(before: string, whole: string): string {
  return whole.startsWith(before) ? whole.slice(before.length) : '';
}

function syncCall(draft: DeltaDraft, { known, index }: Target, item: JsonObject): void {
  const isCustom = item.type === 'custom_tool_call';
  const text = isCustom ? 'input' : 'arguments';
  const rest = getRest(
    known?.name === undefined ? '' : readText(known[text]),
    readText(item[text]),
  );
  const body = {
    ...(known?.name === undefined && { name: item.name ?? '' }),
    ...(rest !== '' && { [text]: rest }),
  };
  append(draft, 'tool_calls', {
    index,
    id: item.call_id ?? item.id ?? '',
    ...(isCustom ? { type: 'custom', custom: body } : { type: 'function', function: body }),
  });
}

/** Adds a piece of an item's text field, or the whole text. */
export function addItemText(
  draft: DeltaDraft,
  {
    known,
    index,
    place: { itemType, name },
    text,
    isWhole,
  }: Target & { place: ItemPlace; text: string; isWhole: boolean },
): void {
  const piece = isWhole ? getRest(readText(known?.[name]), text) : text;
  if (piece === '') return;
  addItem(draft, { index, type: itemType }, { [name]: piece });
  // A call without a name can't be shown yet.
  if (name === 'code' || itemType === 'mcp_call' || known?.name === undefined) return;
  append(draft, 'tool_calls', {
    index,
    ...(name === 'input' ? { custom: { input: piece } } : { function: { arguments: piece } }),
  });
}

interface PartTarget extends Target {
  place: PartPlace;
  /** The position in the item's list. */
  at: number;
}

/** Adds content of the part's snapshot that the known part lacks. */
export function syncPart(
  draft: DeltaDraft,
  { part, ...target }: PartTarget & { part: JsonObject },
): void {
  const { place, at, known, index } = target;
  const { annotations, logprobs } = part;
  const text = readText(part[place.name]);
  addPartText(draft, { ...target, text, isWhole: true, logprobs });
  const old = findPart(known, target)?.annotations;
  const isKnown = (one: JsonValue) => Array.isArray(old) && old.some((it) => isSameJson(it, one));
  const news = Array.isArray(annotations) ? annotations.filter((one) => !isKnown(one)) : [];
  if (news.length === 0) return;
  const length = (text || readText(findPart(known, target)?.[place.name])).length;
  addSources(draft, news, Math.max(0, draft.texts[place.field].length - length));
  addItem(
    draft,
    { index, type: place.itemType },
    {
      [place.list]: [{ index: at, type: place.partType, annotations: news }],
    },
  );
}

/** Sources need an address; other citations name a file. */
function addSources(draft: DeltaDraft, annotations: JsonValue[], start: number): void {
  for (const one of annotations) {
    if (!isJsonObject(one)) continue;
    append(draft, 'annotations', shift(one, start));
    const { filename, file_id: id } = one;
    const file = { title: filename ?? '', ...(id !== undefined && { file_id: id }) };
    const isListed = readObjects(draft.delta.citations).some((it) => isSameJson(it, file));
    if (one.url === undefined && filename && !isListed) append(draft, 'citations', file);
  }
}

/** Positions count from the start of the part, whose text is the last of the message. */
function shift(annotation: JsonObject, start: number): JsonObject {
  const moved = ['start_index', 'end_index'].flatMap((name) => {
    const place = annotation[name];
    return typeof place === 'number' ? [[name, place + start]] : [];
  });
  return { ...annotation, ...Object.fromEntries(moved) };
}

const SEPARATOR = '\n\n';

/** Adds a piece of a part's text, or the whole text. */
export function addPartText(
  draft: DeltaDraft,
  target: PartTarget & { text: string; isWhole: boolean; logprobs?: JsonValue | undefined },
): void {
  const { known, index, place, at, text, isWhole, logprobs } = target;
  const { itemType, list, partType, name, field } = place;
  const before = readText(findPart(known, target)?.[name]);
  // Some gateways change the position at the end.
  const isRepeated = isWhole && before === '' && isStreamed(known, place, text);
  const piece = !isWhole ? text : isRepeated ? '' : getRest(before, text);
  if (piece === '') return;
  addItem(
    draft,
    { index, type: itemType },
    { [list]: [{ index: at, type: partType, [name]: piece }] },
  );
  const isNew = field === 'reasoning' ? before === '' : readTexts(known, place).join('') === '';
  const separator = isNew && draft.texts[field] !== '' ? SEPARATOR : '';
  draft.delta[field] = `${readText(draft.delta[field])}${separator}${piece}`;
  draft.texts[field] += separator + piece;
  if (Array.isArray(logprobs) && (!isWhole || before === '')) draft.logprobs.push(...logprobs);
}

function findPart(known: JsonObject | undefined, { place, at }: Pick<PartTarget, 'place' | 'at'>) {
  const parts = readObjects(known?.[place.list]);
  return parts.find(({ index, type }) => index === at && type === place.partType);
}

/** Only streamed parts have an index. */
function isStreamed(known: JsonObject | undefined, place: PartPlace, text: string): boolean {
  return readObjects(known?.[place.list]).some(
    ({ index, type, [place.name]: value }) =>
      index !== undefined && type === place.partType && value === text,
  );
}

/** Returns the filled texts of the item's parts of one type. */
function readTexts(known: JsonObject | undefined, place: PartPlace): string[] {
  return readObjects(known?.[place.list])
    .filter(({ type }) => type === place.partType)
    .map(({ [place.name]: text }) => readText(text))
    .filter((text) => text !== '');
}
