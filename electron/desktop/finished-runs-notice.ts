/** Says in the window which runs ended behind it, where the system shows no notification. */
import type { Notice } from '../../shared/contract/system.ts';

export interface FinishedRunsNotice {
  /** `demo-story finished` */
  add(title: string): void;
  /** The window is in front of its user: what ends later is shown by itself. */
  seen(): void;
  /** The user has turned to something else: what was seen need not be there any more. */
  left(): void;
}

/** Null takes back what was shown before. */
export function createEndedNotice(say: (notice: Notice | null) => void): FinishedRunsNotice {
  let unseen = 0;
  let isSaid = false;
  /** Another ID each time: what was dismissed before is shown again with what came to it. */
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
          unseen === 1 ? `${title}.` : `${unseen} runs ended in the background. Latest: ${title}.`,
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
