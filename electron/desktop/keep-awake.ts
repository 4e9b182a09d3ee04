/** Keeps the system from suspending while a reply or a file arrives; a task that is polled can wait. */
import type { PowerSaveBlocker } from 'electron';
import type { RunSummary } from '../../shared/run.ts';

/** Returns what to call with the active runs whenever they change. */
export function createKeepAwake(
  blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>,
): (active: readonly Pick<RunSummary, 'phase'>[]) => void {
  /** The first ID is 0. */
  let id: number | null = null;
  return (active) => {
    const arrives = active.some(
      ({ phase }) => phase.name === 'working' || phase.name === 'downloading',
    );
    if (arrives && id === null) id = blocker.start('prevent-app-suspension');
    if (arrives || id === null) return;
    blocker.stop(id);
    id = null;
  };
}
