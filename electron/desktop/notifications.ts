/** Shows a system notification for a run that ended while no window was in front. */
import { Notification } from 'electron';
import { isFinished } from '../../shared/is-finished.ts';
import type { RunSummary } from '../../shared/run.ts';

const WORDS: Partial<Record<RunSummary['status'], string>> = {
  succeeded: 'finished',
  failed: 'failed',
  unknown: 'got no response',
};

export interface RunNotifierOptions {
  /** Whether the user sees the window right now. */
  inFront: () => boolean;
  onClick: () => void;
  log: (line: string) => void;
}

/** Call with every change of a run; it notifies once per run, at its end. */
export function createRunNotifier(options: RunNotifierOptions): (run: RunSummary) => void {
  /** An unreferenced notification may be garbage collected, and its click handler with it. */
  const shown = new Set<Notification>();
  return (run) => {
    const noResult = run.figures?.noResult ?? null;
    const word = noResult === null ? WORDS[run.status] : 'returned no result';
    if (!isFinished(run.status) || word === undefined || options.inFront()) return;
    if (!Notification.isSupported()) return;
    const notification = new Notification({
      title: `${run.model} ${word}`,
      body: run.error?.message ?? noResult ?? run.preview,
      silent: true,
    });
    shown.add(notification);
    notification.on('click', () => {
      shown.delete(notification);
      options.onClick();
    });
    notification.on('close', () => shown.delete(notification));
    notification.on('failed', (_event, error) => {
      shown.delete(notification);
      options.log(`no notification: ${error}`);
    });
    notification.show();
  };
}
