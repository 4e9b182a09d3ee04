/** Comparisons: the same thing asked of several. */
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

/** The whole comparison first, then what has changed, joined. */
const comparisonUpdateSchema = z.object({
  /** In the first update, and where it has changed: title, repeats, variants, rows. */
  comparison: comparisonSchema.nullable(),
  /** In the first update, and where they have changed. */
  notes: comparisonNotesSchema.nullable(),
  /** At most a hundred. */
  cells: z.array(cellSchema),
  /** The other cells that belong to this update follow at once. */
  more: z.boolean(),
  /** The daily cap that holds some of it, and what all that is held could cost; null if the user need only say so. */
  heldBy: appErrorSchema.nullable(),
  /** Of the connections that its variants use. */
  sending: z.array(sendingSchema),
});
export type ComparisonUpdate = z.infer<typeof comparisonUpdateSchema>;

/** Also what may pass today's cap of a connection; otherwise that is a `beyond-cap` error, and nothing is sent. */
const beyondCap = z.boolean().default(false);

const cellsSchema = byId.extend({
  /** Null for all of them. */
  places: z.array(z.int().nonnegative()).max(10_000).nullable(),
});

const titleSchema = comparisonSchema.shape.title;

export const comparisonsContract = {
  /**
   * Checks every request, records all cells, then sends them as their connections have room. Cells that would pass a cap
   * which was reached meanwhile are held, and say so. It begins with what was noted about the same input in the comparison
   * `notesFrom`, where that is still there.
   */
  start: procedure
    .input(
      comparisonPlanSchema.extend({ beyondCap, notesFrom: z.string().nullable().default(null) }),
    )
    .output(z.object({ id: z.string() })),
  /** All but its cells. */
  get: procedure
    .input(byId)
    .output(z.object({ comparison: comparisonSchema, notes: comparisonNotesSchema })),
  /** IDs of those whose names are hidden: nothing that the page lists tells the variant of one of their runs. */
  blind: procedure.output(z.array(z.string())),
  rename: procedure.input(byId.extend({ title: titleSchema })).output(z.void()),
  note: procedure.input(byId.extend({ change: noteChangeSchema })).output(z.void()),
  /** All of it as the text of one JSON value, in pieces: plan, notes, and each cell with its newest run, request and reply. */
  export: procedure.input(byId).output(eventIterator(z.string())),
  /** Never ends by itself. */
  watch: procedure.input(byId).output(eventIterator(comparisonUpdateSchema)),
  /** Cells that wait are not sent, those that run are stopped. */
  stop: procedure.input(cellsSchema).output(z.void()),
  /** Resends the cells that failed, or all that are named. */
  retry: procedure.input(cellsSchema.extend({ beyondCap })).output(z.void()),
  /** Sends what is held: an earlier Gatehouse had not sent it when it ended, or it may pass a cap. */
  resume: procedure.input(byId.extend({ beyondCap })).output(z.void()),
  /** Sends every variant so many times more. */
  repeat: procedure
    .input(byId.extend({ times: z.int().min(1).max(100), beyondCap }))
    .output(z.void()),
  /** With its runs; what runs is stopped. */
  remove: procedure.input(byId).output(deletedSchema),
};
