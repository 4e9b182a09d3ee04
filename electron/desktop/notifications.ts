/** Shows a system notification for a run, or a whole comparison, that ended while no window was in front. */
import { Notification } from 'electron';
import { isFinished, type RunSummary } from '../../shared/run.ts';
import type { Timer } from '../storage/timer.ts';

/** A system that has not said by then whether it shows one does not. */
const SHOWN_MS = 5_000;

const WORDS: Partial<Record<RunSummary['status'], string>> = {
  succeeded: 'finished',
  failed: 'failed',
  unknown: 'got no response',
};

export interface RunNotifierOptions {
  platform: NodeJS.Platform;
  packaged: boolean;
  /** The title of a comparison that its run has just ended; null while anything else of it waits or runs. */
  endedComparison: (id: string) => string | null;
  /** Whether the user sees the window right now. */
  inFront: () => boolean;
  onClick: () => void;
  /** Called with the title of what the system does not show, as far as is known: `demo-story finished`. */
  onUnshown: (title: string) => void;
  /** Called when it is known of one more. */
  onSettled: () => void;
  timer: Timer;
  log: (line: string) => void;
}

export interface RunNotifier {
  /** Call with every change of a run; it notifies once per run, or comparison of runs, at its end. */
  notify(run: RunSummary): void;
  /** Whether the system shows notifications for certain, so that one may be promised. */
  isCertain(): boolean;
  /** Whether it is not known yet of some whether they are shown. */
  isPending(): boolean;
}

export function createRunNotifier(options: RunNotifierOptions): RunNotifier {
  /** An unreferenced notification may be garbage collected, and its click handler with it. */
  const kept = new Set<Notification>();
  const pending = new Set<Notification>();
  let last: 'none' | 'shown' | 'failed' = 'none';

  /** Windows asks for the one that the installer makes, and shows nothing without it, whatever it says. */
  const lacksShortcut = options.platform === 'win32' && !options.packaged;

  function isCertain(): boolean {
    if (!Notification.isSupported() || last === 'failed') return false;
    switch (options.platform) {
      case 'win32':
        return !lacksShortcut;
      // It refuses an application that is not signed, which shows at the first one only.
      case 'darwin':
        return last === 'shown';
      default:
        return true;
    }
  }

  function show(title: string, body: string): void {
    const notification = new Notification({ title, body, silent: true });
    kept.add(notification);
    pending.add(notification);
    const stopTimer = options.timer.after(SHOWN_MS, () => settle(false));
    function settle(isShown: boolean): void {
      if (!pending.delete(notification)) return;
      stopTimer();
      if (!isShown) options.onUnshown(title);
      options.onSettled();
    }
    notification.on('show', () => {
      last = 'shown';
      settle(!lacksShortcut);
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
      settle(false);
    });
    notification.show();
  }

  function tell(title: string, body: string): void {
    if (Notification.isSupported()) show(title, body);
    else options.onUnshown(title);
  }

  return {
    isCertain,
    isPending: () => pending.size > 0,
    notify(run) {
      const noResult = run.figures?.noResult ?? null;
      const word = noResult === null ? WORDS[run.status] : 'returned no result';
      if (!isFinished(run.status) || word === undefined || options.inFront()) return;
      if (run.comparisonId !== null) {
        const name = options.endedComparison(run.comparisonId);
        // Of many runs one word is enough, and it tells no model that is still to be judged.
        if (name !== null) tell('Comparison finished', name);
      } else tell(`${run.model} ${word}`, run.error?.message ?? noResult ?? run.preview);
    },
  };
}
