/** Notifies the user of runs and comparisons that end while the window isn't focused. */
import { Notification } from 'electron';
import type { Notice } from '../../shared/contract/system.ts';
import { isFinished, type RunSummary } from '../../shared/run.ts';
import type { Timer } from '../base/timer.ts';

/** Timeout, because some systems drop notifications without an error. */
const SHOWN_MS = 5_000;
/** macOS asks the user at the first notification, and shows it after the answer. */
const ASKED_MS = 60_000;

const WORDS: Partial<Record<RunSummary['status'], string>> = {
  succeeded: 'finished',
  failed: 'failed',
  unknown: 'got no response',
};

export interface RunNotifierOptions {
  platform: NodeJS.Platform;
  packaged: boolean;
  /** Returns the comparison or check that ends with its run; null if others are unfinished. */
  findEnded: (comparisonId: string) => { kind: 'Comparison' | 'Check'; title: string } | null;
  inFront: () => boolean;
  onClick: () => void;
  /** Called with a title such as `demo-story finished` if the system shows no notification. */
  onUnshown: (title: string) => void;
  onSettled: () => void;
  timer: Timer;
  log: (line: string) => void;
}

export interface RunNotifier {
  /** Returns true if the system is expected to show notifications. */
  isCertain(): boolean;
  /** Returns true while it is unknown whether a notification was shown. */
  isPending(): boolean;
  /** Notifies the user if the run has ended and the window isn't in front. */
  notify(run: RunSummary): void;
  /** Notifies the user of a file that was saved in the background. */
  notifySaved(name: string): void;
}

export function createRunNotifier(options: RunNotifierOptions): RunNotifier {
  /** Keeps references, because a notification may be garbage collected with its click handler. */
  const kept = new Set<Notification>();
  const pending = new Set<Notification>();
  let last: 'none' | 'shown' | 'failed' = 'none';

  /** Without the installer's shortcut, Windows reports success but shows nothing. */
  const lacksShortcut = options.platform === 'win32' && !options.packaged;

  function isCertain(): boolean {
    if (!Notification.isSupported() || last === 'failed') return false;
    switch (options.platform) {
      case 'win32':
        return !lacksShortcut;
      // macOS rejects the first notification of an unsigned app.
      case 'darwin':
        return last === 'shown';
      default:
        return true;
    }
  }

  function show(title: string, body: string, onUnshown = () => options.onUnshown(title)): void {
    const notification = new Notification({ title, body, silent: true });
    kept.add(notification);
    pending.add(notification);
    const isAsked = options.platform === 'darwin' && last === 'none';
    const stopTimer = options.timer.after(isAsked ? ASKED_MS : SHOWN_MS, () => settle(false));
    function settle(isShown: boolean): void {
      if (!pending.delete(notification)) return;
      stopTimer();
      if (!isShown) onUnshown();
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
    notify(run: RunSummary): void {
      const noResult = run.figures?.noResult ?? null;
      const word = noResult === null ? WORDS[run.status] : 'returned no result';
      if (!isFinished(run.status) || word === undefined || options.inFront()) return;
      if (run.comparisonId !== null) {
        const ended = options.findEnded(run.comparisonId);
        // Omit model names, because the comparison may be blind.
        if (ended !== null) tell(`${ended.kind} finished`, ended.title);
      } else tell(`${run.model} ${word}`, run.error?.message ?? noResult ?? run.preview);
    },
    notifySaved(name: string): void {
      if (Notification.isSupported()) show('Download finished', name, () => undefined);
    },
  };
}

/** The notice in the page, which counts runs that ended without a notification. */
export interface EndedNotice {
  /** Counts a run, or a comparison, with a title such as `demo-story finished`. */
  add(title: string): void;
  /** Resets the count, because the window shows the finished runs. */
  markSeen(): void;
  /** When the window loses focus, removes a notice that the user has seen. */
  left(): void;
}

export function createEndedNotice(say: (notice: Notice | null) => void): EndedNotice {
  let unseen = 0;
  let isSaid = false;
  /** Use a new ID, so that the notice is shown again even if the last one was dismissed. */
  let total = 0;
  return {
    add(title: string): void {
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
    markSeen(): void {
      unseen = 0;
    },
    left(): void {
      if (isSaid && unseen === 0) {
        isSaid = false;
        say(null);
      }
    },
  };
}
