import type { RunSummary } from '../../../shared/run.ts';

/** What stopping a run does: a task continues at the gateway, and only following it ends. */
export function stopLabel({ phase }: Pick<RunSummary, 'phase'>): 'Stop' | 'Stop following' {
  return phase.task === null ? 'Stop' : 'Stop following';
}
