import type { Cell } from '../../../shared/comparison.ts';
import { hasResult, isFinished, phaseTraits } from '../../../shared/run.ts';
import type { StatusLabel } from '../../ui/status-mark.tsx';
import { runStatusLabel } from '../frame/run-status.tsx';

/** It is to be sent, or the gateway works for it. */
export function isCellActive({ state, run }: Cell): boolean {
  if (state === 'waiting') return true;
  return run !== null && !isFinished(run.status) && phaseTraits[run.phase.name].isActive;
}

/** Run waits for it: it is to be sent, or not answered yet. A task continues by itself once it is accepted. */
export function blocksRun({ state, run }: Cell): boolean {
  if (state === 'waiting') return true;
  return run !== null && !isFinished(run.status) && run.phase.name === 'working';
}

/** Whether Retry failed resends it. */
export function hasFailed({ state, run, problem }: Cell): boolean {
  if (state === 'waiting' || state === 'held') return false;
  if (problem !== null) return true;
  return run !== null && isFinished(run.status) && run.status !== 'cancelled' && !hasResult(run);
}

export function cellStatus({ state, run, attempts }: Cell): StatusLabel {
  if (state === 'waiting') {
    return { label: attempts > 0 ? 'Waiting to retry' : 'Waiting', tone: 'quiet' };
  }
  if (state === 'held') return { label: 'Not sent yet', tone: 'warning' };
  if (state === 'dropped') return { label: 'Not sent', tone: 'quiet' };
  return run === null ? { label: 'Deleted', tone: 'quiet' } : runStatusLabel(run);
}

/** Of all the status that matters most; null if every request succeeded. */
export function columnStatus(cells: readonly Cell[]): StatusLabel | null {
  const all = cells.map(cellStatus);
  for (const tone of byUrgency) {
    const found = all.find((status) => status.tone === tone);
    if (found !== undefined) return found;
  }
  return null;
}

const byUrgency: readonly StatusLabel['tone'][] = ['active', 'danger', 'warning', 'quiet'];
