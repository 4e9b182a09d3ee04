import type { RunSummary } from '../../../shared/run.ts';

/** A task continues on the gateway, so Stop only ends the polling. */
export function stopLabel({ phase }: Pick<RunSummary, 'phase'>): 'Stop' | 'Stop following' {
  return phase.task === null ? 'Stop' : 'Stop following';
}
