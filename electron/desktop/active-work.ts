/** Describes the work that quitting would stop, and asks for confirmation. */

import { type BrowserWindow, dialog } from 'electron';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { phaseTraits, type RunSummary } from '../../shared/run.ts';

export interface ActiveWork {
  runs: readonly Pick<RunSummary, 'operation' | 'phase'>[];
  waiting: number;
  recordings: number;
  /** Files that are being saved. */
  downloads: number;
}

const NOUNS: Record<OperationName, [one: string, several: string]> = {
  chat: ['chat', 'chats'],
  completion: ['completion', 'completions'],
  image: ['image request', 'image requests'],
  video: ['video task', 'video tasks'],
  rerank: ['rerank request', 'rerank requests'],
  embeddings: ['embeddings request', 'embeddings requests'],
  speech: ['speech request', 'speech requests'],
  transcription: ['transcription', 'transcriptions'],
  console: ['console request', 'console requests'],
};

const list = new Intl.ListFormat('en-US');

/** Returns text such as `2 chats and a recording are in progress. 5 requests are waiting.` */
export function describeActiveWork({ runs, waiting, recordings, downloads }: ActiveWork): string {
  const parts = [...getCounts(runs)].map(
    ([operation, count]) => `${count} ${getNoun(operation, count)}`,
  );
  if (downloads > 0) parts.push(`${downloads} ${nameDownloads(downloads)}`);
  if (recordings > 0) parts.push(recordings === 1 ? 'a recording' : `${recordings} recordings`);
  const sentences = [];
  if (parts.length > 0) {
    const verb = runs.length + recordings + downloads === 1 ? 'is' : 'are';
    sentences.push(`${capitalize(list.format(parts))} ${verb} in progress.`);
  }
  if (waiting > 0) {
    sentences.push(waiting === 1 ? '1 request is waiting.' : `${waiting} requests are waiting.`);
  }
  return sentences.join(' ');
}

/** Returns text such as `the chats, image request, and waiting request`. */
export function nameActiveWork({
  runs,
  waiting,
  downloads,
}: Omit<ActiveWork, 'recordings'>): string {
  const parts = [...getCounts(runs)].map(([operation, count]) => getNoun(operation, count));
  if (downloads > 0) parts.push(nameDownloads(downloads));
  if (waiting > 0) parts.push(waiting === 1 ? 'waiting request' : 'waiting requests');
  return `the ${list.format(parts)}`;
}

/** Returns true if the main process has work that needs no window. */
export function hasActiveWork({ runs, waiting, downloads }: ActiveWork): boolean {
  return runs.length + waiting + downloads > 0;
}

function nameDownloads(count: number): string {
  return count === 1 ? 'download' : 'downloads';
}

export function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function getNoun(operation: OperationName, count: number): string {
  return NOUNS[operation][count === 1 ? 0 : 1];
}

function getCounts(runs: ActiveWork['runs']): Map<OperationName, number> {
  const counts = new Map<OperationName, number>();
  for (const { operation } of runs) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return counts;
}

/** `background` closes the window but keeps the app running. */
type LeaveChoice = 'background' | 'quit' | 'stay';

export interface QuitPrompt {
  activeWork: ActiveWork;
  window: BrowserWindow;
  notifies: boolean;
  /** On macOS, closing the window leaves the app running. */
  onlyCloses: boolean;
}

export async function confirmQuit(question: QuitPrompt): Promise<LeaveChoice> {
  const { detail, answers } = getQuestionText(question);
  const buttons = Object.keys(answers);
  const { response } = await dialog.showMessageBox(question.window, {
    type: 'question',
    message: describeActiveWork(question.activeWork),
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
  answers: Record<string, LeaveChoice>;
}

function getQuestionText({
  activeWork,
  notifies,
  onlyCloses,
}: Omit<QuitPrompt, 'window'>): QuestionText {
  const { recordings } = activeWork;
  const recording = recordings > 0 ? [recordingEnds(recordings)] : [];
  if (onlyCloses || !hasActiveWork(activeWork)) {
    return {
      detail: recording.join(' '),
      answers: onlyCloses
        ? { 'Close window': 'background', Cancel: 'stay' }
        : { Quit: 'quit', Cancel: 'stay' },
    };
  }
  const notice = notifies ? ' and notify you' : ', but may not be able to notify you';
  const background = `Gatehouse can finish ${nameActiveWork(activeWork)} in the background${notice}.`;
  return {
    detail: [background, ...describeQuittingWork(activeWork), ...recording].join(' '),
    answers: {
      'Keep running in the background': 'background',
      Quit: 'quit',
      Cancel: 'stay',
    },
  };
}

function describeQuittingWork({ runs, waiting, downloads: files }: ActiveWork): string[] {
  const sentences: string[] = [];
  const stopped = runs.filter(({ phase }) => !phaseTraits[phase.name].outlivesMain);
  if (stopped.length > 0) {
    const results = stopped.length === 1 ? 'any partial result' : 'any partial results';
    sentences.push(
      `Quitting stops ${nameActiveWork({ runs: stopped, waiting: 0, downloads: 0 })} and keeps ${results}.`,
    );
  }
  const following = runs.filter(({ phase }) => phase.name === 'following');
  if (following.length > 0) {
    const tasks = capitalize(nameActiveWork({ runs: following, waiting: 0, downloads: 0 }));
    const [verb, pronoun] =
      following.length === 1 ? ['keeps running', 'it'] : ['keep running', 'them'];
    sentences.push(
      `${tasks} ${verb} on the gateway; Gatehouse resumes following ${pronoun} when you reopen it.`,
    );
  }
  const downloads = runs.filter(({ phase }) => phase.name === 'downloading').length;
  if (downloads > 0) {
    const resumes = downloads === 1 ? 'The download resumes' : 'The downloads resume';
    sentences.push(`${resumes} when you reopen Gatehouse.`);
  }
  if (files > 0) {
    sentences.push(
      files === 1
        ? 'Quitting deletes the incomplete file.'
        : 'Quitting deletes the incomplete files.',
    );
  }
  if (waiting > 0) {
    sentences.push(
      waiting === 1
        ? 'The waiting request won’t be sent. You can send it later from its comparison.'
        : 'The waiting requests won’t be sent. You can send them later from their comparisons.',
    );
  }
  return sentences;
}

function recordingEnds(count: number): string {
  return count === 1
    ? 'Recording stops. What you’ve recorded is kept.'
    : 'The recordings stop; what was recorded is kept.';
}
