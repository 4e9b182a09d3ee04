/** Comparisons: the same thing asked of several. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  cellSchema,
  comparisonPlanSchema,
  comparisonSchema,
  sendingSchema,
} from '../comparison.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

/** The whole comparison first, then the cells that have changed, joined. */
const comparisonUpdateSchema = z.object({
  /** In the first update, and after more repeats. */
  comparison: comparisonSchema.nullable(),
  cells: z.array(cellSchema),
  /** Of the connections that its variants use. */
  sending: z.array(sendingSchema),
});
export type ComparisonUpdate = z.infer<typeof comparisonUpdateSchema>;

const cellsSchema = byId.extend({
  /** Null for all of them. */
  places: z.array(z.int().nonnegative()).max(10_000).nullable(),
});

export const comparisonsContract = {
  /** Checks every request, records all cells, then sends them as their connections have room. */
  start: procedure.input(comparisonPlanSchema).output(z.object({ id: z.string() })),
  /** Never ends by itself. */
  watch: procedure.input(byId).output(eventIterator(comparisonUpdateSchema)),
  /** Cells that wait are not sent, those that run are stopped. */
  stop: procedure.input(cellsSchema).output(z.void()),
  /** Sends once more what has ended without success, or was never sent; cells that succeeded only where they are named. */
  retry: procedure.input(cellsSchema).output(z.void()),
  /** Sends what an earlier Gatehouse had not sent when it ended. */
  resume: procedure.input(byId).output(z.void()),
  /** Sends every variant so many times more. */
  repeat: procedure.input(byId.extend({ times: z.int().min(1).max(100) })).output(z.void()),
  /** With its runs; what runs is stopped. */
  remove: procedure.input(byId).output(deletedSchema),
};
