/** Defines the procedures for comparisons. */
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

/** The first update contains everything; later updates contain only changes. */
const comparisonUpdateSchema = z.object({
  comparison: comparisonSchema.nullable(),
  notes: comparisonNotesSchema.nullable(),
  cells: z.array(cellSchema),
  more: z.boolean(),
  /** The daily cap error that pauses requests, with their possible cost; null if no cap applies. */
  heldBy: appErrorSchema.nullable(),
  sending: z.array(sendingSchema),
});
export type ComparisonUpdate = z.infer<typeof comparisonUpdateSchema>;

/** Sends requests even if they may exceed a daily cap, instead of failing with `beyond-cap`. */
const overCap = z.boolean().default(false);

const cellsSchema = byId.extend({
  places: z.array(z.int().nonnegative()).max(10_000).nullable(),
});

const titleSchema = comparisonSchema.shape.title;

export const comparisonsContract = {
  /** Validates every request before recording any cell; copies the notes of `notesFrom`. */
  start: procedure
    .input(
      comparisonPlanSchema
        .omit({ stages: true, checkId: true })
        .extend({ overCap, notesFrom: z.string().nullable().default(null) }),
    )
    .output(z.object({ id: z.string() })),
  get: procedure
    .input(byId)
    .output(z.object({ comparison: comparisonSchema, notes: comparisonNotesSchema })),
  blind: procedure.output(z.array(z.string())),
  rename: procedure.input(byId.extend({ title: titleSchema })).output(z.void()),
  note: procedure.input(byId.extend({ change: noteChangeSchema })).output(z.void()),
  export: procedure.input(byId).output(eventIterator(z.string())),
  watch: procedure.input(byId).output(eventIterator(comparisonUpdateSchema)),
  stop: procedure.input(cellsSchema).output(z.void()),
  retry: procedure.input(cellsSchema.extend({ overCap })).output(z.void()),
  resume: procedure.input(byId.extend({ overCap })).output(z.void()),
  repeat: procedure
    .input(byId.extend({ times: z.int().min(1).max(100), overCap }))
    .output(z.void()),
  remove: procedure.input(byId).output(deletedSchema),
};
