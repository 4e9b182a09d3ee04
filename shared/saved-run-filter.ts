/** Defines the filter of History and the user's saved filters. */
import { z } from 'zod';
import { operationNameSchema } from './operations/operation-name.ts';
import { runFilterStatusSchema } from './run.ts';
import { RUN_COLUMNS } from './run-sort.ts';
import { savedNameSchema } from './saved-items.ts';

const dateSchema = z.iso.date();

/** Dates are local days such as `2026-11-28`; a range includes both ends. */
export const dateRangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('any') }),
  /** The last `days` days, including today. */
  z.object({ kind: z.literal('recent'), days: z.int().min(1).max(3660) }),
  z.object({
    kind: z.literal('between'),
    first: dateSchema.nullable(),
    last: dateSchema.nullable(),
  }),
]);
export type DateRange = z.infer<typeof dateRangeSchema>;

export const historyFilterSchema = z.object({
  search: z.string().max(200),
  operation: operationNameSchema.nullable(),
  model: z.string().max(300).nullable(),
  connectionId: z.string().max(200).nullable(),
  status: runFilterStatusSchema.nullable(),
  dates: dateRangeSchema,
});
export type HistoryFilter = z.infer<typeof historyFilterSchema>;

export const runSortSchema = z.object({ by: z.enum(RUN_COLUMNS), isDescending: z.boolean() });

export const savedRunFilterSchema = z.object({
  id: z.string(),
  name: savedNameSchema,
  filter: historyFilterSchema,
  sort: runSortSchema,
});
export type SavedRunFilter = z.infer<typeof savedRunFilterSchema>;

/** Returns Unix milliseconds of local midnights; null means no limit. */
export function getDateBounds(
  dates: DateRange,
  now: Date,
): { from: number | null; until: number | null } {
  switch (dates.kind) {
    case 'any':
      return { from: null, until: null };
    case 'recent': {
      const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() - dates.days + 1);
      return { from: from.getTime(), until: null };
    }
    case 'between':
      return { from: getMidnight(dates.first, 0), until: getMidnight(dates.last, 1) };
  }
}

/** Counts days by the calendar, because a day with a clock change doesn't have 24 hours. */
function getMidnight(date: string | null, daysLater: number): number | null {
  if (date === null) return null;
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day + daysLater).getTime();
}
