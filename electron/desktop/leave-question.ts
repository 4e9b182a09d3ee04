/** Asks before runs or a recording are left behind. */
import { type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { type GoingOn, isAtWork, sayGoingOn } from './going-on.ts';

/** `background`: the window goes, the application stays. */
type LeaveChoice = 'background' | 'quit' | 'stay';

export interface LeaveQuestion {
  goingOn: GoingOn;
  /** Null where macOS or the tray keeps Gatehouse without one. */
  window: BrowserWindow | null;
  /** Whether the end of the run will be notified for certain. */
  notifies: boolean;
  /** Closing the window leaves the application where it is, as on macOS. */
  onlyCloses: boolean;
}

export async function askBeforeLeaving(question: LeaveQuestion): Promise<LeaveChoice> {
  const { goingOn, window } = question;
  const { detail, answers } = wordsFor(question);
  const buttons = Object.keys(answers);
  const options: MessageBoxOptions = {
    type: 'question',
    message: sayGoingOn(goingOn),
    detail,
    buttons,
    defaultId: 0,
    cancelId: buttons.length - 1,
    noLink: true,
  };
  const { response } = await (window === null
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return answers[buttons[response] ?? 'Cancel'] ?? 'stay';
}

interface QuestionWords {
  detail: string;
  /** By the button, in their order; the last one cancels. */
  answers: Record<string, LeaveChoice>;
}

const RECORDING_ENDS = 'The recording ends; what was recorded is kept.';
const QUITTING = 'Quitting stops them and keeps partial results.';

function wordsFor({ goingOn, window, notifies, onlyCloses }: LeaveQuestion): QuestionWords {
  const { recordings } = goingOn;
  const recordingEnds = recordings > 0 ? [RECORDING_ENDS] : [];
  if (onlyCloses || !isAtWork(goingOn)) {
    return {
      detail: recordingEnds.join(' '),
      answers: onlyCloses
        ? { 'Close window': 'background', Cancel: 'stay' }
        : { Quit: 'quit', Cancel: 'stay' },
    };
  }
  if (window === null) return { detail: QUITTING, answers: { Quit: 'quit', Cancel: 'stay' } };
  const background = notifies
    ? 'Keep them running in the background to get a notification when they finish.'
    : 'Kept running in the background, they finish without a notification on this system: open Gatehouse again to see the results.';
  return {
    detail: [background, QUITTING, ...recordingEnds].join(' '),
    answers: {
      'Keep running in the background': 'background',
      Quit: 'quit',
      Cancel: 'stay',
    },
  };
}
