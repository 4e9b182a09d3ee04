/** Asks before runs or a recording are left behind. */
import { type BrowserWindow, dialog } from 'electron';
import { phaseTraits } from '../../shared/run.ts';
import {
  type ActiveWork,
  capitalize,
  describeActiveWork,
  hasActiveWork,
  listActiveWork,
} from './active-work.ts';

/** `background`: the window goes, the application stays. */
type LeaveChoice = 'background' | 'quit' | 'stay';

export interface QuitPrompt {
  goingOn: ActiveWork;
  window: BrowserWindow;
  /** Whether the end of the run will be notified for certain. */
  notifies: boolean;
  /** Closing the window leaves the application where it is, as on macOS. */
  onlyCloses: boolean;
}

export async function confirmQuit(question: QuitPrompt): Promise<LeaveChoice> {
  const { detail, answers } = wordsFor(question);
  const buttons = Object.keys(answers);
  const { response } = await dialog.showMessageBox(question.window, {
    type: 'question',
    message: describeActiveWork(question.goingOn),
    detail,
    buttons,
    defaultId: 0,
    cancelId: buttons.length - 1,
    noLink: true,
  });
  return answers[buttons[response] ?? 'Cancel'] ?? 'stay';
}

interface QuestionText {
  detail: string;
  /** By the button, in their order; the last one cancels. */
  answers: Record<string, LeaveChoice>;
}

function wordsFor({ goingOn, notifies, onlyCloses }: Omit<QuitPrompt, 'window'>): QuestionText {
  const { recordings } = goingOn;
  const recording = recordings > 0 ? [recordingEnds(recordings)] : [];
  if (onlyCloses || !hasActiveWork(goingOn)) {
    return {
      detail: recording.join(' '),
      answers: onlyCloses
        ? { 'Close window': 'background', Cancel: 'stay' }
        : { Quit: 'quit', Cancel: 'stay' },
    };
  }
  const notice = notifies ? ' and notify you' : ', but may not be able to notify you';
  const background = `Gatehouse can finish ${listActiveWork(goingOn)} in the background${notice}.`;
  return {
    detail: [background, ...quittingWork(goingOn), ...recording].join(' '),
    answers: {
      'Keep running in the background': 'background',
      Quit: 'quit',
      Cancel: 'stay',
    },
  };
}

/** What becomes of each kind: only what waits for its reply is lost with this process. */
function quittingWork({ runs, waiting }: ActiveWork): string[] {
  const sentences: string[] = [];
  const stopped = runs.filter(({ phase }) => !phaseTraits[phase.name].outlivesMain);
  if (stopped.length > 0) {
    const results = stopped.length === 1 ? 'any partial result' : 'any partial results';
    sentences.push(
      `Quitting stops ${listActiveWork({ runs: stopped, waiting: 0 })} and keeps ${results}.`,
    );
  }
  const following = runs.filter(({ phase }) => phase.name === 'following');
  if (following.length > 0) {
    const tasks = capitalize(listActiveWork({ runs: following, waiting: 0 }));
    const [verb, pronoun] = following.length === 1 ? ['continues', 'it'] : ['continue', 'them'];
    sentences.push(
      `${tasks} ${verb} at the gateway; Gatehouse follows ${pronoun} again the next time it opens.`,
    );
  }
  const downloads = runs.filter(({ phase }) => phase.name === 'downloading').length;
  if (downloads > 0) {
    const resumes = downloads === 1 ? 'The download resumes' : 'The downloads resume';
    sentences.push(`${resumes} the next time Gatehouse opens.`);
  }
  if (waiting > 0) {
    sentences.push(
      waiting === 1
        ? 'The waiting request is not sent; you can send it from its comparison later.'
        : 'The waiting requests are not sent; you can send them from their comparison later.',
    );
  }
  return sentences;
}

function recordingEnds(count: number): string {
  return count === 1
    ? 'The recording stops; what was recorded is kept.'
    : 'The recordings stop; what was recorded is kept.';
}
