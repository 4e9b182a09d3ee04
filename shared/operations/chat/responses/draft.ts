/** Converts what is new in a Responses event to a delta of the answer. */
import {
  getString,
  isJsonObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
} from '../../../json.ts';
import { parseJson } from '../../../parse-json.ts';
import { markWhole } from '../merge-delta.ts';
import type { ChatState } from '../state.ts';
import { CALL_TEXTS, ENVELOPE, type ItemPlace, type PartPlace, partPlaces } from './places.ts';

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
      content: getString(content),
      refusal: getString(refusal),
      reasoning: getString(reasoning),
    },
    delta: {},
    logprobs: [],
  };
}

function readObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Identifies the item that an event belongs to. */
export interface ItemReference {
  type?: JsonValue | undefined;
  /** The item's own ID, in an event that has the item. */
  id?: JsonValue | undefined;
  /** The event's `item_id`. */
  itemId?: JsonValue | undefined;
  callId?: JsonValue | undefined;
  /** The event's `output_index`; null if it has none. */
  place: number | null;
  /** The item begins with this event. */
  isAdded?: boolean;
  /** The whole text of the item or of one of its parts, if the event has it. */
  whole?: string;
}

/** An item of the answer. `index` is assigned here, because gateways reuse an `output_index`. */
interface Target {
  /** Undefined if the item is new. */
  known: JsonObject | undefined;
  index: number;
}

/** Finds an item by its ID, then by its call, then by its position. */
export function findKnown({ items }: DeltaDraft, reference: ItemReference): JsonObject | undefined {
  const { callId, place, type } = reference;
  const typed = items.filter((item) => type === undefined || item.type === type);
  return (
    typed.findLast((item) => hasId(item, getReferenceId(reference))) ??
    typed.findLast((item) => isFilled(callId) && item.call_id === callId) ??
    typed.findLast((item) => (item.output_index ?? item.index) === place && mayBe(item, reference))
  );
}

/** Returns the known item, or a free index for a new one. */
export function findItem(draft: DeltaDraft, reference: ItemReference): Target {
  const known = findKnown(draft, reference);
  return known === undefined ? beginItem(draft, reference) : { known, index: Number(known.index) };
}

function getReferenceId({ id, itemId }: ItemReference): JsonValue | undefined {
  return isFilled(id) ? id : itemId;
}

function hasId(item: JsonObject, id: JsonValue | undefined): boolean {
  return isFilled(id) && (item.id === id || item.item_id === id);
}

function isFilled(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

function differs(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return isFilled(one) && isFilled(other) && one !== other;
}

/** Some gateways give an item a new ID in each event, so the ID may change until the item ends. */
function mayBe(item: JsonObject, reference: ItemReference): boolean {
  const { callId, isAdded, whole } = reference;
  if (differs(item.call_id, callId)) return false;
  if (!differs(item.id ?? item.item_id, getReferenceId(reference))) return true;
  if (whole !== undefined && whole !== '' && whole === readWhole(item)) return true;
  return isAdded !== true && !hasEnded(item);
}

const ENDED = new Set<JsonValue | undefined>(['completed', 'incomplete', 'failed']);

function hasEnded({ status, arguments: text }: JsonObject): boolean {
  return ENDED.has(status) || (typeof text === 'string' && readJsonObject(text) !== null);
}

function beginItem(draft: DeltaDraft, { type = null, id, itemId, place }: ItemReference): Target {
  const { items } = draft;
  const isFree = place !== null && items.every((item) => item.index !== place);
  const last = items.reduce((most, item) => Math.max(most, Number(item.index)), -1);
  const index = isFree ? place : last + 1;
  const fields = {
    ...(!isFilled(id) && isFilled(itemId) && { item_id: itemId ?? null }),
    ...(place !== null && place !== index && { output_index: place }),
  };
  items.push({ index, type, ...fields });
  if (Object.keys(fields).length > 0) addItem(draft, { index, type }, fields);
  return { known: undefined, index };
}

/** Returns the text of a call, or the joined texts of the other items’ parts. */
export function readWhole(item: JsonObject): string {
  const text = CALL_TEXTS.get(item.type ?? null);
  if (text !== undefined) return getString(item[text]);
  return [...partPlaces.values()].map((place) => joinTexts(item, place)).join('');
}

interface Match extends Target {
  item: JsonObject;
}

/** Pairs the items of a whole response with those that were streamed. */
export function matchOutput(draft: DeltaDraft, output: readonly JsonObject[]): Match[] {
  let free = [...draft.items];
  const pairs = new Map<JsonObject, JsonObject>();
  const pair = (
    find: (item: JsonObject, known: readonly JsonObject[]) => JsonObject | undefined,
  ) => {
    for (const item of output) {
      if (pairs.has(item)) continue;
      const alike = free.filter(
        (known) => known.type === item.type && !differs(known.call_id, item.call_id),
      );
      const known = find(item, alike);
      if (known === undefined) continue;
      pairs.set(item, known);
      free = free.filter((one) => one !== known);
    }
  };
  pair((item, known) =>
    known.find((one) => hasId(one, isFilled(item.id) ? item.id : item.item_id)),
  );
  pair(({ call_id: id }, known) => known.find((one) => isFilled(id) && one.call_id === id));
  // Some gateways give the items new IDs at the end.
  const begins = (item: JsonObject) => (one: JsonObject) => {
    const text = readWhole(one);
    return text !== '' && readWhole(item).startsWith(text);
  };
  pair((item, known) => known.find(begins(item)));
  pair((_, known) => known.find((one) => readWhole(one) !== '') ?? known[0]);
  return output.map((item) => {
    const known = pairs.get(item);
    if (known !== undefined) return { item, known, index: Number(known.index) };
    return { item, ...beginItem(draft, { type: item.type, place: null }) };
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

/** Adds content of the item's snapshot that the known item lacks. */
export function syncItem(
  draft: DeltaDraft,
  { item, isDone, ...target }: Target & { item: JsonObject; isDone: boolean },
): void {
  const { index } = target;
  const known = target.known ?? { index, type: item.type ?? null };
  const places = [...partPlaces.values()].filter(({ itemType }) => itemType === item.type);
  const lists = new Set(places.map((place) => place.list));
  for (const list of lists) syncParts(draft, target, item, list);
  if (CALL_TEXTS.has(item.type ?? null)) syncCall(draft, target, item, isDone);
  if (item.type === 'image_generation_call' && getString(item.result) !== '') {
    append(draft, 'images', { index, image_url: { url: item.result ?? '' } });
  }
  if (isDone && isJsonObject(item.action) && Array.isArray(item.action.sources)) {
    append(draft, 'search_results', ...item.action.sources);
  }
  const isShown = places.length > 0;
  if (isDone) addItem(draft, { ...known, index }, getNews(item, known, lists));
  else if (!isShown) addItem(draft, { ...known, index }, getLabels(item, known));
  else if (isFilled(item.phase)) addItem(draft, { ...known, index }, { phase: item.phase ?? '' });
}

/** Other fields are complete only when the item is done, encrypted reasoning included. */
function getLabels(item: JsonObject, known: JsonObject): JsonObject {
  const { encrypted_content: _secret, type: _type, ...others } = item;
  const text = CALL_TEXTS.get(item.type ?? null);
  return Object.fromEntries(
    Object.entries(others).filter(
      ([name, value]) =>
        name !== text &&
        !(name === 'id' && known.id !== undefined) &&
        !ENVELOPE.has(name) &&
        typeof value !== 'object' &&
        value !== '',
    ),
  );
}

/** Returns fields that are new compared with the known item, except the parts in `lists`. */
function getNews(item: JsonObject, known: JsonObject, lists: ReadonlySet<string>): JsonObject {
  const news: JsonObject = {};
  for (const [name, value] of Object.entries(item)) {
    const old = known[name];
    if (name === 'type' || name === 'index' || value === null || ENVELOPE.has(name)) continue;
    if (name === 'id' && old !== undefined) continue;
    if (name === CALL_TEXTS.get(item.type ?? null)) continue;
    const isParts = Array.isArray(value) && lists.has(name);
    if (isParts && (old !== undefined || value.length > 0)) continue;
    if (old === undefined) news[name] = value;
    else if (typeof old === 'string' && name !== 'status') {
      const rest = getRest(old, getString(value));
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

/** A snapshot replaces the call's text, except with a placeholder. */
function syncCall(
  draft: DeltaDraft,
  { known, index }: Target,
  item: JsonObject,
  isDone: boolean,
): void {
  const isCustom = item.type === 'custom_tool_call';
  const name = isCustom ? 'input' : 'arguments';
  const before = getString(known?.[name]);
  const given = getString(item[name]);
  const isPlaceholder = /^\s*(?:\{\s*\})?\s*$/.test(given) && (before !== '' || !isDone);
  const isKept = isPlaceholder || (!isCustom && isSameObject(before, given));
  const text = isKept ? before : given;
  const isReplaced = !text.startsWith(before);
  const rest = isReplaced ? text : text.slice(before.length);
  if (rest !== '') {
    const fields = { index, type: item.type ?? null, [name]: rest };
    append(draft, 'items', isReplaced ? markWhole(fields) : fields);
  }
  // Text that arrived before the call's name isn't shown yet.
  const isShown = known?.name !== undefined;
  const shown = isShown ? rest : text;
  const body = {
    ...(!isShown && { name: item.name ?? '' }),
    ...(shown !== '' && { [name]: shown }),
  };
  const called = isReplaced ? markWhole(body) : body;
  append(draft, 'tool_calls', {
    index,
    id: item.call_id ?? item.id ?? '',
    ...(isCustom ? { type: 'custom', custom: called } : { type: 'function', function: called }),
  });
}

function isSameObject(before: string, given: string): boolean {
  const object = readJsonObject(given);
  return object !== null && isSameJson(readJsonObject(before), object);
}

function readJsonObject(text: string): JsonObject | null {
  const value = text.trimEnd().endsWith('}') ? parseJson(text) : undefined;
  return isJsonObject(value) ? value : null;
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
  if (isWhole && CALL_TEXTS.has(itemType) && known?.name !== undefined) {
    syncCall(draft, { known, index }, { ...known, type: itemType, [name]: text }, false);
    return;
  }
  const piece = isWhole ? getRest(getString(known?.[name]), text) : text;
  if (piece === '') return;
  addItem(draft, { index, type: itemType }, { [name]: piece });
  // A call without a name can't be shown yet.
  if (!CALL_TEXTS.has(itemType) || known?.name === undefined) return;
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

interface PartText {
  place: PartPlace;
  text: string;
  /** The end of the text that is new. */
  piece: string;
}

/**
 * Adds what a snapshot's parts have beyond the known text, wherever the pieces were. If the parts
 * are cut differently, the snapshot's replace them.
 */
function syncParts(
  draft: DeltaDraft,
  target: Target,
  item: JsonObject,
  list: PartPlace['list'],
): void {
  const { known, index } = target;
  const parts = readObjects(item[list]);
  const places = [...partPlaces.values()].filter(
    (place) => place.itemType === item.type && place.list === list,
  );
  const texts = new Map<JsonObject, PartText>();
  for (const place of places) {
    const own = parts.filter(({ type }) => type === place.partType);
    const before = joinTexts(known, place);
    if (!joinTexts(item, place).startsWith(before)) continue;
    let covered = before.length;
    for (const part of own) {
      const text = getString(part[place.name]);
      const piece = text.slice(covered);
      covered = Math.max(0, covered - text.length);
      texts.set(part, { place, text, piece });
    }
  }
  const old = readObjects(known?.[list]);
  const isCutAlike = parts.every((part, at) => {
    const read = texts.get(part);
    if (read === undefined) return true;
    const { place, text, piece } = read;
    return getString(findPart(known, { place, at })?.[place.name]) + piece === text;
  });
  const isReplaced = old.length > 0 && texts.size === parts.length && !isCutAlike;
  let begun = known;
  for (const [at, part] of parts.entries()) {
    const read = texts.get(part);
    if (read === undefined) continue;
    const { place, text, piece } = read;
    const partTarget = { known: begun, index, place, at };
    const isNew = piece === text;
    showPiece(draft, { ...partTarget, piece, isNew, logprobs: isNew ? part.logprobs : null });
    if (piece !== '' && !isReplaced) addPart(draft, partTarget, { [place.name]: piece });
    addAnnotations(draft, { ...partTarget, known, text, part, isReplaced });
    begun = { ...begun, [list]: parts.slice(0, at + 1) };
  }
  if (isReplaced) {
    const kept = parts.map((part, at) => ({ index: at, ...part }));
    append(draft, 'items', markWhole({ index, type: item.type ?? null, [list]: kept }));
  }
}

/** Adds content of a part's snapshot that the known item lacks. */
export function syncPart(
  draft: DeltaDraft,
  { part, ...target }: PartTarget & { part: JsonObject },
): void {
  const text = getString(part[target.place.name]);
  addPartText(draft, { ...target, text, isWhole: true, logprobs: part.logprobs });
  addAnnotations(draft, { ...target, text, part, isReplaced: false });
}

function addAnnotations(
  draft: DeltaDraft,
  target: PartTarget & { text: string; part: JsonObject; isReplaced: boolean },
): void {
  const { known, place, text, part, isReplaced } = target;
  const old = readObjects(known?.[place.list]).flatMap(({ annotations }) => annotations ?? []);
  const given = Array.isArray(part.annotations) ? part.annotations : [];
  const news = given.filter((one) => !old.some((it) => isSameJson(it, one)));
  if (news.length === 0) return;
  const length = (text || getString(findPart(known, target)?.[place.name])).length;
  addSources(draft, news, Math.max(0, draft.texts[place.field].length - length));
  if (!isReplaced) addPart(draft, target, { annotations: news });
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
  const { known, place, text, isWhole, logprobs } = target;
  const before = getString(findPart(known, target)?.[place.name]);
  const piece = isWhole ? getRestOfPart(before, joinTexts(known, place), text) : text;
  if (piece === '') return;
  const isAll = piece === text;
  showPiece(draft, { ...target, piece, isNew: before === '', logprobs: isAll ? logprobs : null });
  addPart(draft, target, { [place.name]: piece });
}

/**
 * Compares with the joined text first, because some gateways count the tokens in `content_index`
 * and end with the whole text (https://github.com/vllm-project/vllm/pull/35184).
 */
function getRestOfPart(before: string, joined: string, whole: string): string {
  const isJoined = joined !== '' && whole.startsWith(joined);
  return isJoined || before === ''
    ? whole.slice(isJoined ? joined.length : 0)
    : getRest(before, whole);
}

interface Piece extends PartTarget {
  piece: string;
  /** The piece begins its part. */
  isNew: boolean;
  logprobs: JsonValue | undefined;
}

/** Separates messages, summaries and kinds of reasoning by a blank line. */
function showPiece(draft: DeltaDraft, { known, place, piece, isNew, logprobs }: Piece): void {
  if (piece === '') return;
  const { field, list } = place;
  const isParagraph = list === 'summary' ? isNew : joinTexts(known, place) === '';
  const separator = isParagraph && draft.texts[field] !== '' ? SEPARATOR : '';
  draft.delta[field] = `${getString(draft.delta[field])}${separator}${piece}`;
  draft.texts[field] += separator + piece;
  if (Array.isArray(logprobs)) draft.logprobs.push(...logprobs);
}

function addPart(draft: DeltaDraft, { index, place, at }: PartTarget, fields: JsonObject): void {
  const { itemType, list, partType } = place;
  addItem(draft, { index, type: itemType }, { [list]: [{ index: at, type: partType, ...fields }] });
}

/** Only streamed parts have an index. */
function findPart(known: JsonObject | undefined, { place, at }: Pick<PartTarget, 'place' | 'at'>) {
  return readObjects(known?.[place.list]).find(
    ({ index, type }, position) => (index ?? position) === at && type === place.partType,
  );
}

/** Joins the texts of the item's parts of one type. */
function joinTexts(item: JsonObject | undefined, place: PartPlace): string {
  return readObjects(item?.[place.list])
    .filter(({ type }) => type === place.partType)
    .map(({ [place.name]: text }) => getString(text))
    .join('');
}
