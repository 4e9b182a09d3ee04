/** Maps the texts of a Responses response to their items and message fields. */
import type { JsonValue } from '../../../json.ts';

/** A text in a list of an item, such as `content[0].text`. */
export interface PartPlace {
  kind: 'part';
  itemType: 'message' | 'reasoning';
  list: 'content' | 'summary';
  /** The event field with the position in the list. */
  position: 'content_index' | 'summary_index';
  partType: string;
  name: 'text' | 'refusal';
  /** The message field that shows the text. */
  field: 'content' | 'refusal' | 'reasoning';
}

/** A text field of an item. */
export interface ItemPlace {
  kind: 'item';
  itemType: string;
  name: 'arguments' | 'input' | 'code';
}

/** The text field of the calls that the client answers, keyed by item type. */
export const CALL_TEXTS: ReadonlyMap<JsonValue, ItemPlace['name']> = new Map<
  JsonValue,
  ItemPlace['name']
>([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
]);

/** Fields of an event that some gateways repeat in the item; they never go back. */
export const ENVELOPE: ReadonlySet<string> = new Set([
  ...['item_id', 'output_index', 'sequence_number'],
]);

const answer = { kind: 'part', itemType: 'message', list: 'content' } as const;
const thought = { kind: 'part', itemType: 'reasoning', field: 'reasoning', name: 'text' } as const;
const content = { list: 'content', position: 'content_index' } as const;

const parts: readonly PartPlace[] = [
  { ...answer, ...content, partType: 'output_text', name: 'text', field: 'content' },
  { ...answer, ...content, partType: 'refusal', name: 'refusal', field: 'refusal' },
  { ...thought, ...content, partType: 'reasoning_text' },
  { ...thought, list: 'summary', position: 'summary_index', partType: 'summary_text' },
];

/** Keyed by part type. */
export const partPlaces: ReadonlyMap<JsonValue, PartPlace> = new Map(
  parts.map((place) => [place.partType, place]),
);

function findPart(type: string): [string, PartPlace][] {
  const place = partPlaces.get(type);
  return place === undefined ? [] : [[type, place]];
}

/** Keyed by event name, without `response.` and `.delta` or `.done`. */
export const textPlaces: ReadonlyMap<string, PartPlace | ItemPlace> = new Map<
  string,
  PartPlace | ItemPlace
>([
  ...['output_text', 'refusal', 'reasoning_text'].flatMap(findPart),
  ...findPart('summary_text').map(([, place]) => ['reasoning_summary_text', place] as const),
  ['function_call_arguments', { kind: 'item', itemType: 'function_call', name: 'arguments' }],
  ['custom_tool_call_input', { kind: 'item', itemType: 'custom_tool_call', name: 'input' }],
  ['mcp_call_arguments', { kind: 'item', itemType: 'mcp_call', name: 'arguments' }],
  ['code_interpreter_call_code', { kind: 'item', itemType: 'code_interpreter_call', name: 'code' }],
]);
