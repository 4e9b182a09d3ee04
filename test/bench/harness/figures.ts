import type { TestInfo } from '@playwright/test';
import { z } from 'zod';
import { formatFigure } from './table.ts';

const goalSchema = z.union([z.object({ atMost: z.number() }), z.object({ atLeast: z.number() })]);
const figureSchema = z.object({
  what: z.string(),
  /** One a round; a single one where rounds make no sense. */
  values: z.array(z.number()).min(1),
  /** `×` for a ratio. */
  unit: z.string(),
  /** Null for what is only told. */
  goal: goalSchema.nullable(),
});
export type Figure = z.infer<typeof figureSchema>;

const ANNOTATION = 'figure';

/** Prints what was measured and keeps it for the table; a goal that is missed fails the command, not the bench. */
export function note(
  testInfo: TestInfo,
  what: string,
  values: number | readonly number[],
  unit: string,
  goal: Figure['goal'] = null,
): void {
  const figure = { what, values: [values].flat(), unit, goal };
  testInfo.annotations.push({ type: ANNOTATION, description: JSON.stringify(figure) });
  console.log(formatFigure(figure));
}

/** What a bench has noted. */
export function figuresOf(
  annotations: readonly { type: string; description?: string }[],
): Figure[] {
  return annotations.flatMap(({ type, description }) =>
    type === ANNOTATION && description !== undefined
      ? [figureSchema.parse(JSON.parse(description))]
      : [],
  );
}
