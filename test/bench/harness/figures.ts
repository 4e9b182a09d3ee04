import type { TestInfo } from '@playwright/test';
import { type Figure, figureSchema, formatFigure } from './table.ts';

const ANNOTATION = 'figure';

/**
 * Prints a figure and saves it for the table, unless it has no values. A missed goal fails the
 * command, not the benchmark.
 */
export function note(
  testInfo: TestInfo,
  what: string,
  values: number | readonly number[],
  unit: string,
  goal: Figure['goal'] = null,
): void {
  const figure = { what, values: [values].flat(), unit, goal };
  if (figure.values.length === 0) return;
  testInfo.annotations.push({ type: ANNOTATION, description: JSON.stringify(figure) });
  console.log(formatFigure(figure));
}

/** Returns the figures that a benchmark saved. */
export function figuresOf(
  annotations: readonly { type: string; description?: string }[],
): Figure[] {
  return annotations.flatMap(({ type, description }) =>
    type === ANNOTATION && description !== undefined
      ? [figureSchema.parse(JSON.parse(description))]
      : [],
  );
}
