import { isFinished, phaseTraits, type RunSummary } from '../../../shared/run.ts';

export type DeletedRun = Pick<RunSummary, 'operation' | 'status' | 'phase' | 'media'>;

/** Returns false for a task, which continues on the gateway, and for a run that has ended. */
export function isStoppedByDeletion({ status, phase }: Pick<DeletedRun, 'status' | 'phase'>) {
  return !isFinished(status) && !phaseTraits[phase.name].outlivesMain;
}

export function continuesOnGateway({ status, phase }: DeletedRun): boolean {
  return !isFinished(status) && phaseTraits[phase.name].runsAtGateway;
}

/** Returns the message for one deletion, and a suffix for several. */
export function describeDeletion(
  what: string,
  runs: readonly DeletedRun[],
): { message: string; note: string } {
  const stopped = describeStopped(runs.filter(isStoppedByDeletion));
  const tasks = runs.filter(continuesOnGateway).length;
  if (tasks > 0) {
    const bill = `${stopped}. The gateway may still finish and bill`;
    const which = runs.length === 1 ? 'it' : tasks === 1 ? 'the video task' : 'the video tasks';
    return { message: `${what} deleted${bill} ${which}.`, note: `${bill} video tasks.` };
  }
  const [run] = runs;
  const hasVideo = run !== undefined && run.operation === 'video' && run.media.length > 0;
  const kept = runs.length === 1 && hasVideo ? '. Its video stays in the library.' : '';
  return { message: `${what} deleted${stopped}${kept}`, note: stopped };
}

/** Returns "", ", answer stopped" or ", requests stopped". */
function describeStopped(stopped: readonly DeletedRun[]): string {
  if (stopped.length === 0) return '';
  const isText = stopped.every(
    ({ operation }) => operation === 'chat' || operation === 'completion',
  );
  return `, ${isText ? 'answer' : 'request'}${stopped.length === 1 ? '' : 's'} stopped`;
}
