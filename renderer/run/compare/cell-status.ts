import type { Cell } from '../../../shared/comparison.ts';
import { hasResult, isFinished, phaseTraits } from '../../../shared/run.ts';
import type { StatusLabel } from '../../ui/status-mark.tsx';
import { runStatusLabel } from '../frame/run-status.tsx';

/** Returns true if the request is waiting or running. */
export function isCellActive({ state, run }: Cell): boolean {
  if (state === 'waiting') return true;
  return run !== null && !isFinished(run.status) && phaseTraits[run.phase.name].isActive;
}

/** Returns true if the request blocks Run, which an accepted video task doesn't. */
export function blocksRun({ state, run }: Cell): boolean {
  if (state === 'waiting') return true;
  return run !== null && !isFinished(run.status) && run.phase.name === 'working';
}

/** Returns true if “Retry failed” resends the request. */
export function hasFailed({ state, run, problem }: Cell): boolean {
  if (state === 'waiting' || state === 'held') return false;
  if (problem !== null) return true;
  return run !== null && isFinished(run.status) && run.status !== 'cancelled' && !hasResult(run);
}

/** Returns true if the gateway may have billed a request whose response was lost. */
export function isPerhapsBilled({ run }: Cell): boolean {
  if (run === null) return false;
  return run.status === 'unknown' || (run.status === 'interrupted' && run.httpStatus !== null);
}

/** Returns true if the user stopped the request, before or after it was sent. */
export function isStopped({ state, run, problem }: Cell): boolean {
  return state === 'dropped' ? problem === null : state === 'sent' && run?.status === 'cancelled';
}

export function getCellStatus({ state, run, attempts }: Cell): StatusLabel {
  if (state === 'waiting') {
    return { label: attempts > 0 ? 'Waiting to retry' : 'Waiting', tone: 'quiet' };
  }
  if (state === 'held') return { label: 'Not sent yet', tone: 'warning' };
  if (state === 'dropped') return { label: 'Not sent', tone: 'quiet' };
  return run === null ? { label: 'Deleted', tone: 'quiet' } : runStatusLabel(run);
}

/** Returns the most urgent status; null if every request succeeded. */
export function getColumnStatus(cells: readonly Cell[]): StatusLabel | null {
  const all = cells.map(getCellStatus);
  for (const tone of byUrgency) {
    const found = all.find((status) => status.tone === tone);
    if (found !== undefined) return found;
  }
  return null;
}

const byUrgency: readonly StatusLabel['tone'][] = ['active', 'danger', 'warning', 'quiet'];
