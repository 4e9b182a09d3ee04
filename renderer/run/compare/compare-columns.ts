/** Names and orders the columns and rows of a comparison, and counts blind picks. */
import {
  type Cell,
  type ComparedVariant,
  type Comparison,
  getCellVariant,
  isSameRequest,
} from '../../../shared/comparison.ts';
import type { ComparisonNotes } from '../../../shared/comparison-notes.ts';
import { isSameJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { formatShortValue, truncate } from '../form/validate-form.ts';
import type { CompareColumn, VariantName } from './compare-panel.ts';
import { describeExtra, listRenames } from './variant-labels.ts';

export const tie = 'tie';

/** Names each variant; uses letters while names are hidden. */
export function getColumns(
  { variants }: Pick<Comparison, 'variants'>,
  { blind }: ComparisonNotes,
): CompareColumn[] {
  const isHidden = blind?.isHidden ?? false;
  const place = (id: string) => {
    const at = blind?.order.indexOf(id) ?? -1;
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  };
  const ordered =
    blind === null
      ? variants
      : variants.toSorted((one, other) => compare(place(one.id), place(other.id)));
  const names = listVariantNames(variants);
  return ordered.map((variant, at) => {
    const letter = getLetter(at);
    const { name, title } = names.get(variant.id) ?? { name: letter, title: letter };
    return isHidden
      ? { variant, name: letter, title: letter, isHidden }
      : { variant, name, title, isHidden };
  });
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

/** Returns A, B … Z, AA and so on. */
function getLetter(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${getLetter(Math.floor(at / 26) - 1)}${letter}`;
}

/** Shuffles with Fisher–Yates; `random` returns a number from 0 to below 1. */
export function shuffle<Item>(items: readonly Item[], random: () => number = Math.random): Item[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [mixed[at], mixed[other]];
    if (one === undefined || two === undefined) continue;
    mixed[at] = two;
    mixed[other] = one;
  }
  return mixed;
}

export function pickPlace({ rowId, repeat }: { rowId: string; repeat: number }): string {
  return `${rowId}/${repeat}`;
}

/** Counts each variant's and setting's wins; ties come last. */
export function countTally(
  comparison: Comparison,
  columns: readonly CompareColumn[],
  cells: readonly Cell[],
  { blind }: ComparisonNotes,
): { name: string; picks: number }[] {
  const picks = blind?.picks ?? {};
  if (Object.keys(picks).length === 0) return [];
  const isPicked = (cell: Cell) => picks[pickPlace(cell)] === cell.variantId;
  const lines = listSentVariants(comparison, columns, cells).flatMap(
    ({ title, isEarlier, cells: own }) => {
      const count = own.filter(isPicked).length;
      return isEarlier && count === 0 ? [] : [{ name: title, picks: count }];
    },
  );
  const ties = Object.values(picks).filter((pick) => pick === tie).length;
  return [...lines, { name: 'Tie', picks: ties }];
}

export interface GridRow {
  rowId: string;
  repeat: number;
  /** Empty if the comparison has only one row. */
  label: string;
  cells: readonly Cell[];
}

export function getRows(
  { rows, repeats }: Pick<Comparison, 'rows' | 'repeats'>,
  cells: readonly Cell[],
): GridRow[] {
  const byRow = Map.groupBy(cells, ({ rowId, repeat }) => `${rowId} ${repeat}`);
  return rows.flatMap((row) =>
    Array.from({ length: repeats }, (_, repeat) => ({
      rowId: row.id,
      repeat,
      label: describeRow(rows.length > 1 ? row.label : '', repeats > 1 ? repeat : null),
      cells: byRow.get(`${row.id} ${repeat}`) ?? [],
    })),
  );
}

/** Returns a title such as `demo-chat · temperature 0.2, Repeat 2`. */
export function getCellTitle(
  { label }: Pick<GridRow, 'label'>,
  { title }: Pick<CompareColumn, 'title'>,
): string {
  return label === '' ? title : `${title}, ${label}`;
}

function describeRow(label: string, repeat: number | null): string {
  const again = repeat === null ? '' : describeRepeat(repeat);
  return [label, again].filter((words) => words !== '').join(' · ');
}

/** Numbers a repeat from 1; `repeat` starts at 0. */
export function describeRepeat(repeat: number): string {
  return `Repeat ${repeat + 1}`;
}

/** Maps variant IDs to unique names. */
export function listVariantNames(
  variants: readonly ComparedVariant[],
): ReadonlyMap<string, VariantName> {
  const alike = Map.groupBy(variants, (variant) =>
    JSON.stringify([getOwnName(variant), variant.differences]),
  );
  const numbered = [...alike.values()].flatMap((group) =>
    group.map((variant, at) => {
      const name = getOwnName(variant);
      return { variant, name: group.length === 1 ? name : `${name} (${at + 1})` };
    }),
  );
  const named = numbered.map(({ variant, name }) => {
    const [first] = variant.differences;
    const title = variant.name !== '' || first === undefined ? name : `${name} · ${first}`;
    return { variant, name, title };
  });
  const byTitle = Map.groupBy(named, ({ title }) => title);
  return new Map(
    named.map(({ variant, name, title }) => [
      variant.id,
      byTitle.get(title)?.length === 1
        ? { name, title }
        : { name, title: [name, ...variant.differences].join(' · ') },
    ]),
  );
}

/** Returns the user's name for the variant, or its model. */
export function getOwnName({ name, request }: ComparedVariant): string {
  return name === '' ? String(request.model) : name;
}

/** Lists what the name doesn’t say: a model of another name, then the differences from the panel. */
export function listTags({ name, request, differences }: ComparedVariant): readonly string[] {
  const { model } = request;
  const isNamed = name !== '' && typeof model === 'string' && model !== name;
  return isNamed ? [model, ...differences] : differences;
}

interface SentVariant extends VariantName {
  id: string;
  /** True if the column's settings changed after the requests were sent. */
  isEarlier: boolean;
  differences: readonly string[];
  cells: readonly Cell[];
}

/** Lists each column's current settings, then earlier ones; duplicate names get a number. */
export function listSentVariants(
  comparison: Comparison,
  columns: readonly CompareColumn[],
  cells: readonly Cell[],
): SentVariant[] {
  const sent = columns.flatMap((column) => getSentVariants(comparison, column, cells));
  const getWords = ({ name, differences }: SentVariant) => JSON.stringify([name, differences]);
  const taken = new Set<string>();
  for (const one of sent) {
    if (!one.isEarlier) taken.add(one.title).add(getWords(one));
  }
  return sent.map((one) => {
    if (!one.isEarlier) return one;
    let own = one;
    for (let at = 2; taken.has(own.title) || taken.has(getWords(own)); at += 1) {
      const name = `${one.name} (${at})`;
      own = { ...one, name, title: [name, ...one.differences].join(' · ') };
    }
    taken.add(own.title).add(getWords(own));
    return own;
  });
}

function getSentVariants(
  comparison: Comparison,
  { variant: newest, name, title, isHidden }: CompareColumn,
  cells: readonly Cell[],
): SentVariant[] {
  const own = cells.filter(({ variantId }) => variantId === newest.id);
  const { id } = newest;
  const now = { id, name, title, isEarlier: false };
  if (isHidden) return [{ ...now, differences: [], cells: own }];
  const sent = own.map((cell) => ({ cell, variant: getCellVariant(comparison, cell) ?? newest }));
  const same = sent.filter(({ variant }) => isSameRequest(variant, newest));
  const before: { variant: ComparedVariant; cells: Cell[] }[] = [];
  for (const { cell, variant } of sent) {
    if (isSameRequest(variant, newest)) continue;
    const known = before.find((one) => isSameRequest(one.variant, variant));
    if (known === undefined) before.push({ variant, cells: [cell] });
    else known.cells.push(cell);
  }
  return [
    { ...now, differences: listTags(newest), cells: same.map(({ cell }) => cell) },
    ...before.map(({ variant, cells }, at) => {
      const model = String(variant.request.model);
      const isNamed = variant.name !== '' && model !== String(newest.request.model);
      const connectionName = cells.find(({ run }) => run !== null)?.run?.connectionName ?? null;
      const differences = [
        ...(isNamed ? [model] : []),
        ...listPreviousSettings(variant, newest, connectionName),
      ];
      const before = getOwnName(variant);
      return {
        id: `${id} ${at + 1}`,
        name: before,
        title: [before, ...differences].join(' · '),
        isEarlier: true,
        differences,
        cells,
      };
    }),
  ];
}

/** Lists how an earlier request differs from the form or the current settings. */
export function listPreviousSettings(
  before: ComparedVariant,
  now: ComparedVariant,
  connectionName: string | null,
): string[] {
  const isElsewhere = connectionName !== null && before.connectionId !== now.connectionId;
  const words = [
    ...(isElsewhere ? [connectionName] : []),
    ...before.differences,
    ...describeField(before.request, now.request),
    ...describeExtra(now.extraBody, before.extraBody),
    ...listRenames(now.wireNames, before.wireNames).map(({ label }) => label),
  ];
  return [...new Set(words)];
}

function describeField(before: JsonObject, now: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  names.delete('model');
  return [...names]
    .filter((name) => !isSameJson(before[name], now[name]))
    .map((name) => `${name} ${formatValue(before[name])}`);
}

function formatValue(value: JsonValue | undefined): string {
  return value === undefined ? 'not sent' : truncate(formatShortValue(value));
}
