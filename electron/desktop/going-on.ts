/** What would be left behind, as its user would name it. */
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunSummary } from '../../shared/run.ts';

export interface GoingOn {
  runs: readonly Pick<RunSummary, 'operation'>[];
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

/** `2 chats, 1 video task, and a recording are in progress.` */
export function sayGoingOn({ runs, waiting, recordings }: GoingOn): string {
  const counts = new Map<OperationName, number>();
  for (const { operation } of runs) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  const parts = [...counts].map(
    ([operation, count]) => `${count} ${NOUNS[operation][count === 1 ? 0 : 1]}`,
  );
  if (waiting > 0) parts.push(waiting === 1 ? 'a waiting request' : `${waiting} waiting requests`);
  if (recordings > 0) parts.push(recordings === 1 ? 'a recording' : `${recordings} recordings`);
  const words = list.format(parts);
  const verb = runs.length + waiting + recordings === 1 ? 'is' : 'are';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${verb} in progress.`;
}

/** Whether main would still work without its window. */
export function isAtWork({ runs, waiting }: GoingOn): boolean {
  return runs.length + waiting > 0;
}
