/** What would be left behind, as its user would name it. */
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunSummary } from '../../shared/run.ts';

export interface ActiveWork {
  runs: readonly Pick<RunSummary, 'operation' | 'phase'>[];
  /** Requests of comparisons that are still to be sent. */
  waiting: number;
  /** By the microphone, in the window. */
  recordings: number;
}

const NOUNS: Record<OperationName, [one: string, several: string]> = {
  chat: ['chat', 'chats'],
  completion: ['completion', 'completions'],
  image: ['image request', 'image requests'],
  video: ['video task', 'video tasks'],
  rerank: ['rerank request', 'rerank requests'],
  speech: ['speech request', 'speech requests'],
  transcription: ['transcription', 'transcriptions'],
  console: ['console request', 'console requests'],
};

const list = new Intl.ListFormat('en-US');

/** `2 chats, 1 video task, and a recording are in progress. 5 requests are waiting.` */
export function describeActiveWork({ runs, waiting, recordings }: ActiveWork): string {
  const parts = [...getCounts(runs)].map(
    ([operation, count]) => `${count} ${getNoun(operation, count)}`,
  );
  if (recordings > 0) parts.push(recordings === 1 ? 'a recording' : `${recordings} recordings`);
  const sentences = [];
  if (parts.length > 0) {
    const verb = runs.length + recordings === 1 ? 'is' : 'are';
    sentences.push(`${capitalize(list.format(parts))} ${verb} in progress.`);
  }
  if (waiting > 0) {
    sentences.push(waiting === 1 ? '1 request is waiting.' : `${waiting} requests are waiting.`);
  }
  return sentences.join(' ');
}

/** `the chats, image request, and waiting request` */
export function listActiveWork({ runs, waiting }: Pick<ActiveWork, 'runs' | 'waiting'>): string {
  const parts = [...getCounts(runs)].map(([operation, count]) => getNoun(operation, count));
  if (waiting > 0) parts.push(waiting === 1 ? 'waiting request' : 'waiting requests');
  return `the ${list.format(parts)}`;
}

/** Whether main would still work without its window. */
export function hasActiveWork({ runs, waiting }: ActiveWork): boolean {
  return runs.length + waiting > 0;
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
