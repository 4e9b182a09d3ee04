/** Defines what a kind of check plans, and how the cells of a probe are named. */
import { type AskedRow, type ChatFormat, chatFormatSchema } from '../../shared/checks/check.ts';
import type { ComparisonPlan } from '../../shared/comparison.ts';

export type PlannedComparison = Omit<ComparisonPlan, 'checkId' | 'repeats' | 'sourceComparisonId'>;

/** The questions of a check that isn't recorded yet. */
export interface PlannedCheck {
  asked: AskedRow[];
  /** With stages, each starts when the one before has ended. */
  comparisons: PlannedComparison[];
}

/** Names the comparison row of one of a probe row's requests. */
export function nameProbeRequest(rowId: string, request: string): string {
  return `${rowId}/${request}`;
}

export function parseProbeRequest(comparisonRowId: string): { rowId: string; request: string } {
  const at = comparisonRowId.lastIndexOf('/');
  return { rowId: comparisonRowId.slice(0, at), request: comparisonRowId.slice(at + 1) };
}

/** Names the variant of a model and format; variant IDs have up to 100 characters, so it is numbered. */
export function nameProbeVariant(format: ChatFormat, model: number): string {
  return `${format}/${model}`;
}

/** `model` is the index in the check's models. */
export function parseProbeVariant(variantId: string): { format: ChatFormat; model: number } {
  const [format, model] = variantId.split('/');
  return { format: chatFormatSchema.parse(format), model: Number(model) };
}
