/** Procedures for comparisons. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  cellSchema,
  comparisonPlanSchema,
  comparisonSchema,
  sendingSchema,
} from '../comparison.ts';
import { comparisonNotesSchema, noteChangeSchema } from '../comparison-notes.ts';
import { appErrorSchema } from '../error-schema.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

/** The first update holds everything, later ones the changes. */
const comparisonUpdateSchema = z.object({
  /** Null if it hasn't changed. */
  comparison: comparisonSchema.nullable(),
  /** Null if they haven't changed. */
  notes: comparisonNotesSchema.nullable(),
  /** At most 100. */
  cells: z.array(cellSchema),
  /** More cells of this update follow at once. */
  more: z.boolean(),
  /** The daily cap that holds requests, with their possible cost. Null if no cap does. */
  heldBy: appErrorSchema.nullable(),
  sending: z.array(sendingSchema),
});
export type ComparisonUpdate = z.infer<typeof comparisonUpdateSchema>;

/** Sends requests that may exceed a daily cap. Otherwise they fail with `beyond-cap`. */
const beyondCap = z.boolean().default(false);

const cellsSchema = byId.extend({
  /** Null selects all cells. */
  places: z.array(z.int().nonnegative()).max(10_000).nullable(),
});

const titleSchema = comparisonSchema.shape.title;

export const comparisonsContract = {
  /**
   * Checks every request, records all cells, then sends them. Copies the notes about equal input
   * from `notesFrom`.
   */
  start: procedure
    .input(
      comparisonPlanSchema.extend({ beyondCap, notesFrom: z.string().nullable().default(null) }),
    )
    .output(z.object({ id: z.string() })),
  get: procedure
    .input(byId)
    .output(z.object({ comparison: comparisonSchema, notes: comparisonNotesSchema })),
  /** Lists the comparisons that hide the names of their variants. */
  blind: procedure.output(z.array(z.string())),
  rename: procedure.input(byId.extend({ title: titleSchema })).output(z.void()),
  note: procedure.input(byId.extend({ change: noteChangeSchema })).output(z.void()),
  /** Yields the text of one JSON value in pieces. */
  export: procedure.input(byId).output(eventIterator(z.string())),
  watch: procedure.input(byId).output(eventIterator(comparisonUpdateSchema)),
  /** Takes back waiting cells and cancels running ones. */
  stop: procedure.input(cellsSchema).output(z.void()),
  /** Resends the cells that failed, or all in `places`. */
  retry: procedure.input(cellsSchema.extend({ beyondCap })).output(z.void()),
  /** Sends the held cells. */
  resume: procedure.input(byId.extend({ beyondCap })).output(z.void()),
  repeat: procedure
    .input(byId.extend({ times: z.int().min(1).max(100), beyondCap }))
    .output(z.void()),
  /** Deletes the comparison and its runs. */
  remove: procedure.input(byId).output(deletedSchema),
};
