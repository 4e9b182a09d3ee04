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
  platform: NodeJS.Platform;
  packaged: boolean;
  /** Whether the user sees the window right now. */
  inFront: () => boolean;
  onClick: () => void;
  log: (line: string) => void;
}

export interface RunNotifier {
  /** Call with every change of a run; it notifies once per run, at its end. */
  notify(run: RunSummary): void;
  /** Whether the system shows notifications for certain, so that one may be promised. */
  isCertain(): boolean;
}

export function createRunNotifier(options: RunNotifierOptions): RunNotifier {
  /** An unreferenced notification may be garbage collected, and its click handler with it. */
  const kept = new Set<Notification>();
  let last: 'none' | 'shown' | 'failed' = 'none';

  function isCertain(): boolean {
    if (!Notification.isSupported() || last === 'failed') return false;
    switch (options.platform) {
      // The system asks for the shortcut that the installer makes.
      case 'win32':
        return options.packaged;
      // It refuses an application that is not signed, which shows at the first one only.
      case 'darwin':
        return last === 'shown';
      default:
        return true;
    }
  }

  return {
    isCertain,
    notify(run) {
      const noResult = run.figures?.noResult ?? null;
      const word = noResult === null ? WORDS[run.status] : 'returned no result';
      if (!isFinished(run.status) || word === undefined || options.inFront()) return;
      if (!Notification.isSupported()) return;
      const notification = new Notification({
        title: `${run.model} ${word}`,
        body: run.error?.message ?? noResult ?? run.preview,
        silent: true,
      });
      kept.add(notification);
      notification.on('show', () => {
        last = 'shown';
      });
      notification.on('click', () => {
        kept.delete(notification);
        options.onClick();
      });
      notification.on('close', () => kept.delete(notification));
      notification.on('failed', (_event, error) => {
        last = 'failed';
        kept.delete(notification);
        options.log(`no notification: ${error}`);
      });
      notification.show();
    },
  };
}
