/** Estimates the requests, tokens and cost of a planned check. */
import type { AskedRow, CheckEstimate } from '../../shared/checks/check.ts';
import type { ComparisonPlan } from '../../shared/comparison.ts';
import { getInput, listPlaces } from '../comparisons/comparison-plan.ts';
import { expectedUse, type GetSeconds } from '../operations/expected-use.ts';
import type { Spending } from '../runs/spending.ts';

export type CheckComparison = Omit<ComparisonPlan, 'checkId' | 'repeats' | 'sourceComparisonId'>;

/** A check that isn't recorded yet. */
export interface PlannedCheck {
  /** Empty for a load. */
  asked: AskedRow[];
  /** With stages, each starts when the one before has ended. */
  comparisons: CheckComparison[];
}

export interface EstimateOptions {
  spending: Pick<Spending, 'price'>;
  getSeconds: GetSeconds;
}

export function estimateCheck(
  { comparisons }: Pick<PlannedCheck, 'comparisons'>,
  options: EstimateOptions,
): CheckEstimate {
  const total = { requests: 0, inputTokens: 0, outputTokens: 0, dollars: 0 };
  let hasOutput = true;
  let isLeast = false;
  for (const planned of comparisons) {
    const plan = { ...planned, repeats: 1, sourceComparisonId: null };
    const places = listPlaces(plan);
    for (const [index, place] of places.entries()) {
      const times = countTimes(planned, index, places.length);
      const input = getInput(plan, place);
      const sent = { ...input.request, ...input.extraBody };
      const use = expectedUse[plan.operation](sent, options.getSeconds);
      const cost = options.spending.price(input).cost();
      total.requests += times;
      total.inputTokens += times * (use.inputTokens ?? 0);
      total.outputTokens += times * (use.outputTokens ?? 0);
      if (use.outputTokens === null) hasOutput = false;
      total.dollars += times * (cost?.dollars ?? 0);
      isLeast ||= cost?.isLeast ?? false;
    }
  }
  return {
    requests: total.requests,
    inputTokens: total.inputTokens,
    outputTokens: hasOutput ? total.outputTokens : null,
    dollars: total.dollars === 0 && isLeast ? null : total.dollars,
    isLeast,
  };
}

/** Stages send the places in turn; without stages, each is sent once. */
function countTimes({ stages }: CheckComparison, index: number, places: number): number {
  if (stages === undefined) return 1;
  const count = stages.reduce((sum, { requests }) => sum + requests, 0);
  return Math.floor(count / places) + (index < count % places ? 1 : 0);
}
