/** Defines notes on a comparison: blind picks, relevance labels, references and picked choices. */
import { z } from 'zod';
import { assertNever } from './assert-never.ts';
import type { Comparison } from './comparison.ts';
import { isSameJson } from './json.ts';
import { MAX_REFERENCE_CHARS } from './media.ts';

const idSchema = z.string().min(1).max(100);
const pickPlaceSchema = z.string().min(3).max(120);
const labelKeySchema = z.string().min(1).max(200);
const cellPlaceSchema = z.string().regex(/^\d{1,9}$/);
const relevanceSchema = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);

const blindSchema = z.object({
  isHidden: z.boolean(),
  order: z.array(idSchema).max(100),
});

export const comparisonNotesSchema = z.object({
  blind: blindSchema
    .extend({
      picks: z.record(pickPlaceSchema, idSchema),
    })
    .nullable(),
  labels: z.record(labelKeySchema, relevanceSchema),
  references: z.record(idSchema, z.string()),
  choices: z.record(cellPlaceSchema, idSchema).default({}),
});
export type ComparisonNotes = z.infer<typeof comparisonNotesSchema>;

export const noNotes: ComparisonNotes = { blind: null, labels: {}, references: {}, choices: {} };

/** Changes a single note, so that two windows don't overwrite each other; null deletes the note. */
export const noteChangeSchema = z.discriminatedUnion('kind', [
  /** Keeps the picks, unless `blind` is null. */
  z.object({ kind: z.literal('blind'), blind: blindSchema.nullable() }),
  z.object({ kind: z.literal('pick'), place: pickPlaceSchema, pick: idSchema.nullable() }),
  /** Keeps existing labels that aren't in `labels`. */
  z.object({
    kind: z.literal('labels'),
    labels: z
      .record(labelKeySchema, relevanceSchema.nullable())
      .refine((labels) => Object.keys(labels).length <= 10_000),
  }),
  z.object({
    kind: z.literal('reference'),
    rowId: idSchema,
    text: z.string().max(MAX_REFERENCE_CHARS).nullable(),
  }),
  z.object({ kind: z.literal('choice'), place: cellPlaceSchema, messageId: idSchema.nullable() }),
]);
export type NoteChange = z.infer<typeof noteChangeSchema>;

export function applyNote(notes: ComparisonNotes, change: NoteChange): ComparisonNotes {
  const { blind } = notes;
  switch (change.kind) {
    case 'blind':
      return {
        ...notes,
        blind: change.blind && { ...change.blind, picks: blind?.picks ?? {} },
      };
    case 'pick': {
      const { isHidden = false, order = [], picks = {} } = blind ?? {};
      const { place, pick } = change;
      return {
        ...notes,
        blind: { isHidden, order, picks: mergeChanges(picks, { [place]: pick }) },
      };
    }
    case 'labels':
      return { ...notes, labels: mergeChanges(notes.labels, change.labels) };
    case 'reference': {
      const { rowId, text } = change;
      return { ...notes, references: mergeChanges(notes.references, { [rowId]: text }) };
    }
    case 'choice': {
      const { place, messageId } = change;
      return { ...notes, choices: mergeChanges(notes.choices, { [place]: messageId }) };
    }
    default:
      return assertNever(change);
  }
}

function mergeChanges<Value>(
  before: Readonly<Record<string, Value>>,
  changes: Readonly<Record<string, Value | null>>,
): Record<string, Value> {
  const after = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) after.delete(key);
    else after.set(key, value);
  }
  return Object.fromEntries(after);
}

type Rows = Pick<Comparison, 'rows'>;

/** Copies the reference texts of equal rows, and the labels only if all rows are equal. */
export function copyNotes(before: Rows, notes: ComparisonNotes, after: Rows): ComparisonNotes {
  const requests = before.rows.map(({ request }) => request);
  const isSame = isSameJson(
    requests,
    after.rows.map(({ request }) => request),
  );
  const references = after.rows.flatMap((row) => {
    const known = before.rows.find(({ request }) => isSameJson(request, row.request));
    const text = known && notes.references[known.id];
    return text === undefined ? [] : [[row.id, text]];
  });
  return {
    ...noNotes,
    // Label keys refer to the documents of all rows.
    labels: isSame ? notes.labels : {},
    references: Object.fromEntries(references),
  };
}
