/** Announces runs and comparisons that end while the window isn't in front. */
import { Notification } from 'electron';
import type { Notice } from '../../shared/contract/system.ts';
import { isFinished, type RunSummary } from '../../shared/run.ts';
import type { Timer } from '../storage/timer.ts';

/** Systems that show nothing don't always report it. */
const SHOWN_MS = 5_000;

const WORDS: Partial<Record<RunSummary['status'], string>> = {
  succeeded: 'finished',
  failed: 'failed',
  unknown: 'got no response',
};

export interface RunNotifierOptions {
  platform: NodeJS.Platform;
  packaged: boolean;
  /** The title of a comparison whose last run has ended; null while others are waiting or running. */
  endedComparison: (id: string) => string | null;
  inFront: () => boolean;
  onClick: () => void;
  /** Called with a title such as `demo-story finished` if the system shows no notification. */
  onUnshown: (title: string) => void;
  /** Called when a notification was shown or failed. */
  onSettled: () => void;
  timer: Timer;
  log: (line: string) => void;
}

export interface RunNotifier {
  /** Call with every change of a run. */
  notify(run: RunSummary): void;
  /** Whether the system is sure to show notifications. */
  isCertain(): boolean;
  /** Whether the system has yet to show a notification. */
  isPending(): boolean;
}

export function createRunNotifier(options: RunNotifierOptions): RunNotifier {
  /** An unreferenced notification may be garbage collected with its click handler. */
  const kept = new Set<Notification>();
  const pending = new Set<Notification>();
  let last: 'none' | 'shown' | 'failed' = 'none';

  /** Windows needs the shortcut that the installer makes, and reports success without it. */
  const lacksShortcut = options.platform === 'win32' && !options.packaged;

  function isCertain(): boolean {
    if (!Notification.isSupported() || last === 'failed') return false;
    switch (options.platform) {
      case 'win32':
        return !lacksShortcut;
      // macOS rejects unsigned applications at the first notification.
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
        // A comparison's notification doesn't name models, because they may be blind.
        if (name !== null) tell('Comparison finished', name);
      } else tell(`${run.model} ${word}`, run.error?.message ?? noResult ?? run.preview);
    },
  };
}

export interface FinishedRunsNotice {
  /** `demo-story finished` */
  add(title: string): void;
  /** The window is in front, so the user sees what ended. */
  seen(): void;
  /** The window lost focus, so the notice can go. */
  left(): void;
}

/** A null notice removes the last one. */
export function createEndedNotice(say: (notice: Notice | null) => void): FinishedRunsNotice {
  let unseen = 0;
  let isSaid = false;
  /** A new ID shows the notice again after the user dismissed it. */
  let total = 0;
  return {
    add(title) {
      unseen += 1;
      total += 1;
      isSaid = true;
      say({
        id: `runs-ended-${total}`,
        level: 'info',
        message:
          unseen === 1
            ? `${title}.`
            : `${unseen} runs finished in the background. Latest: ${title}.`,
        nextStep: unseen === 1 ? 'See History for the result.' : 'See History for the results.',
      });
    },
    seen() {
      unseen = 0;
    },
    left() {
      if (isSaid && unseen === 0) {
        isSaid = false;
        say(null);
      }
    },
  };
}
