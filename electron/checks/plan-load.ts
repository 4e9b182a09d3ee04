/** Plans the comparisons of a load: one per model, run in order. */
import {
  countStageRequests,
  type LoadInput,
  type LoadSettings,
} from '../../shared/checks/check.ts';
import { MAX_STAGED_REQUESTS, type PlannedStage } from '../../shared/comparison.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import type { CheckComparison, PlannedCheck } from './estimate-check.ts';

/** Throws `invalid-request` if the stages have more requests than a check may send. */
export function planLoad(input: LoadInput): PlannedCheck {
  const { connectionId, models, operation, requests, extraBody, wireNames } = input;
  const rows = requests.map((request, index) => {
    const label = `Request ${index + 1}`;
    return { id: String(index), label, request, sourceRunId: null, variants: [] };
  });
  let left = Math.min(input.limits.requests ?? Number.POSITIVE_INFINITY, countLoadRequests(input));
  if (left > MAX_STAGED_REQUESTS) throw new UserFacingError(createTooManyError(left));
  const comparisons = models.flatMap((model): CheckComparison[] => {
    const stages = cutStages(input, left);
    left -= stages.reduce((sum, stage) => sum + stage.requests, 0);
    if (stages.length === 0) return [];
    const variant = {
      id: 'model',
      name: '',
      connectionId,
      request: { model },
      extraBody,
      wireNames,
      differences: [],
    };
    return [{ operation, title: model.slice(0, 200), variants: [variant], rows, stages }];
  });
  return { asked: [], comparisons };
}

/** Counts the requests of all stages and models, with their warm-up. */
export function countLoadRequests({
  stages,
  warmup,
  models,
}: Pick<LoadInput, 'stages' | 'warmup' | 'models'>): number {
  const each = stages.reduce((sum, stage) => sum + countStageRequests(stage, warmup), 0);
  return each * models.length;
}

/** Returns the stages up to the limit of requests. */
function cutStages({ stages, warmup }: LoadSettings, limit: number): PlannedStage[] {
  let left = limit;
  return stages.flatMap((stage) => {
    const requests = Math.min(left, countStageRequests(stage, warmup));
    left -= requests;
    return requests === 0 ? [] : { atOnce: stage.atOnce, requests };
  });
}

function createTooManyError(count: number) {
  const [asked, most] = [count, MAX_STAGED_REQUESTS].map((each) => each.toLocaleString('en'));
  return appError(
    'invalid-request',
    `Nothing was sent. ${asked} requests is over the limit of ${most}.`,
    'Use fewer models, stages or requests per stage.',
    { fields: [] },
  );
}
