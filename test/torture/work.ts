/** Simulates random user actions: every operation with a stream, file or task, and follow-ups. */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { toJson } from '../../shared/json.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { isFinished } from '../../shared/run.ts';
import { plan, row, variant } from '../fixtures/comparisons.ts';
import { type Random, randomAt } from '../fixtures/random.ts';
import { soundOf } from './counting-gateway.ts';
import { type Journal, noteSight, type SeenRun } from './journal.ts';
import type { OpenPage } from './page.ts';

export interface Workplace {
  pages: readonly [OpenPage, ...OpenPage[]];
  journal: Journal;
  seed: number;
  /** The number of the host process, starting with the first one. */
  life: number;
  /** Returns true if the host was killed or is about to be. */
  isOver(): boolean;
}

interface Task extends Workplace {
  /** Random numbers for this job only, independent of other jobs. */
  random: Random;
  nextId(): string;
}

type Job = (task: Task) => Promise<void>;

const MAX_TASKS = 6;
const connectionId = 'environment';
const CELLS = { variants: ['one', 'two'], rows: 3 };

/**
 * Performs jobs until the host is killed. Workers run in parallel, starting with one of each kind.
 * Rejects with any error that the kill didn't cause.
 */
export async function workUntilOver(place: Workplace, worker: number): Promise<void> {
  const { seed, life } = place;
  for (let number = 0; !place.isOver(); number += 1) {
    const random = randomAt(seed, life, worker, number);
    const job = (number === 0 ? jobs[worker] : undefined) ?? random.of(jobs);
    let ids = 0;
    const nextId = () => {
      ids += 1;
      return `job-${seed.toString(36)}-${life}-${worker}-${number}-${ids}`;
    };
    try {
      await job({ ...place, random, nextId });
    } catch (cause) {
      if (!place.isOver()) throw cause;
    }
  }
}

async function follow(place: Task, about: Omit<SeenRun, 'seen'>): Promise<void> {
  const run: SeenRun = { ...about, seen: null };
  place.journal.open.set(run.id, run);
  await place.random.of(place.pages).follow(run.id, (view) => {
    noteSight(run, view);
    const taskId = view.phase.task?.id;
    if (isFinished(view.status)) place.journal.tasks.delete(run.id);
    else if (taskId !== undefined) place.journal.tasks.set(run.id, taskId);
  });
}

async function start(
  { pages, random }: Task,
  operation: OperationName,
  request: Parameters<OpenPage['api']['runs']['start']>[0]['request'],
): Promise<string> {
  const { runId } = await random
    .of(pages)
    .api.runs.start({ operation, connectionId, request: { model: 'm', ...request } });
  return runId;
}

const chat: Job = async (place) => {
  const { api } = place.random.of(place.pages);
  const conversation = await api.conversations.create();
  let parentId: string | null = null;
  for (let turn = place.random.between(1, 2); turn > 0; turn -= 1) {
    const jobId = place.nextId();
    const sent: Awaited<ReturnType<typeof api.conversations.send>> = await api.conversations.send({
      conversationId: conversation.id,
      connectionId,
      parentId,
      message: { role: 'user', content: jobId },
      request: { model: 'm', stream: true },
    });
    const about = { id: sent.runId, jobId, conversationId: conversation.id };
    await follow(place, { ...about, operation: 'chat' });
    parentId = sent.answerIds[0] ?? null;
  }
};

const completion: Job = async (place) => {
  const jobId = place.nextId();
  const id = await start(place, 'completion', { prompt: jobId, stream: true });
  await follow(place, { id, jobId, operation: 'completion', conversationId: null });
};

const speech: Job = async (place) => {
  const jobId = place.nextId();
  const id = await start(place, 'speech', { input: jobId, voice: 'alloy', response_format: 'wav' });
  await follow(place, { id, jobId, operation: 'speech', conversationId: null });
};

const transcription: Job = async (place) => {
  const jobId = place.nextId();
  const bytes = soundOf(place.random.chance(0.3) ? 'the same' : jobId);
  const page = place.random.of(place.pages);
  const mediaId = await beginMedia(page, 'upload');
  await sendSlice(page, mediaId, bytes, 0);
  await page.request(`/media/${mediaId}/finish`, { method: 'POST' });
  place.journal.media.set(mediaId, sha256(bytes));
  const id = await start(place, 'transcription', { file: `media:${mediaId}`, prompt: jobId });
  await follow(place, { id, jobId, operation: 'transcription', conversationId: null });
};

const SLICE_BYTES = 3200;

const recording: Job = async (place) => {
  const bytes = soundOf(place.nextId());
  const page = place.random.of(place.pages);
  const mediaId = await beginMedia(page, 'recording');
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    await sendSlice(page, mediaId, bytes.subarray(at, at + SLICE_BYTES), at);
    place.journal.recordings.set(mediaId, bytes.subarray(0, at + SLICE_BYTES));
    await pause(20);
  }
  await page.request(`/media/${mediaId}/finish`, { method: 'POST' });
  place.journal.recordings.delete(mediaId);
  place.journal.media.set(mediaId, sha256(bytes));
};

const video: Job = async (place) => {
  if (place.journal.tasks.size >= MAX_TASKS) return completion(place);
  const jobId = place.nextId();
  const id = await start(place, 'video', { prompt: jobId });
  const followed = follow(place, { id, jobId, operation: 'video', conversationId: null });
  // The test usually kills the host first; only errors matter here.
  await Promise.race([followed, pause(place.random.between(100, 1500))]);
  followed.catch(() => undefined);
};

const comparison: Job = async (place) => {
  const { api } = place.random.of(place.pages);
  const rows = Array.from({ length: CELLS.rows }, () => place.nextId());
  const { id } = await api.comparisons.start(
    plan(
      CELLS.variants.map((name) => variant(name)),
      { rows: rows.map((jobId) => row(jobId, { prompt: jobId, stream: true })) },
    ),
  );
  const cellCount = rows.length * CELLS.variants.length;
  place.journal.comparisons.set(id, cellCount);
  const followed = new Map<string, Promise<void>>();
  for await (const { cells } of await api.comparisons.watch({ id })) {
    for (const { run, rowId } of cells) {
      if (run === null || followed.has(run.id)) continue;
      const about = { id: run.id, jobId: rowId, conversationId: null };
      const watched = follow(place, { ...about, operation: 'completion' });
      watched.catch(() => undefined);
      followed.set(run.id, watched);
    }
    if (followed.size === cellCount) break;
  }
  await Promise.all(followed.values());
};

/** Starts a turn whose tool calls are answered by a canned result and a function. */
const turn: Job = async (place) => {
  const { api } = place.random.of(place.pages);
  const toolIds = (await turnTools(api)).map(({ id }) => id);
  const options = { ...defaultConversationOptions, toolIds };
  const { id: conversationId } = await api.conversations.create({ options });
  const jobId = place.nextId();
  await api.conversations.send({
    conversationId,
    connectionId,
    parentId: null,
    message: { role: 'user', content: jobId },
    request: { model: 'm', stream: true, tools: turnDefinitions.map(toJson) },
  });
  place.journal.turns.set(conversationId, jobId);
  await untilTurnEnds(place, conversationId);
};

/** Continues a turn that an earlier host left unfinished. */
const continueTurn: Job = async (place) => {
  const [id] = [...place.journal.turns.keys()].slice(-place.random.between(1, 3));
  if (id === undefined) return;
  const { api } = place.random.of(place.pages);
  const { activeLeafId: leafId } = await api.conversations.get({ id });
  if (leafId === null) return;
  // The turn may have ended, or another page may already be continuing it.
  await api.conversations.continueTurn({ conversationId: id, leafId }).catch(() => undefined);
  await untilTurnEnds(place, id);
};

/** Waits until the turn ends or the host is killed. */
export async function untilTurnEnds(
  { pages: [{ api }], isOver }: Pick<Workplace, 'pages' | 'isOver'>,
  id: string,
): Promise<void> {
  while (!isOver()) {
    const { turns, messages } = await api.conversations.get({ id });
    const last = messages.findLast(({ run }) => run !== null)?.run;
    if (turns.length === 0 && last != null && isFinished(last.status)) return;
    await pause(20);
  }
}

const turnDefinitions = ['look_up', 'compute'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object' } },
}));

async function turnTools(api: OpenPage['api']): Promise<{ id: string }[]> {
  const answers = [
    { by: 'canned' as const, result: '"found"' },
    { by: 'script' as const, code: '() => 42' },
  ];
  const saving = turnDefinitions.map(async (tool, at) => {
    const find = async () =>
      (await api.saved.tools.list()).find((one) => one.tool.function.name === tool.function.name);
    const found = await find();
    if (found !== undefined) return found;
    // Another worker may be saving the same tool.
    const saved = await api.saved.tools.save({ id: null, tool, answer: answers[at] }).catch(find);
    if (saved === undefined) throw new Error(`There is no ${tool.function.name}.`);
    return saved;
  });
  return Promise.all(saving);
}

/** Resumes cells that an earlier host didn't send. */
const resume: Job = async ({ pages, journal, random }) => {
  const [id] = [...journal.comparisons.keys()].slice(-random.between(1, 3));
  if (id !== undefined) await random.of(pages).api.comparisons.resume({ id });
};

const remove: Job = async ({ pages, journal, random }) => {
  const [id] = [...journal.ended.keys()].slice(-random.between(1, 30));
  if (id === undefined || journal.ended.get(id)?.run.operation === 'video') return;
  const { api } = random.of(pages);
  journal.ended.delete(id);
  const { deletionId } = await api.runs.remove({ id });
  if (deletionId !== null && random.chance(0.3)) await api.deletions.undo({ ids: [deletionId] });
  else journal.removed.add(id);
};

const look: Job = async ({ pages, random }) => {
  const { api } = random.of(pages);
  const filter = { connectionId: null, operation: null, status: null, before: null, limit: 50 };
  await api.runs.list({ ...filter, search: random.of(['', 'w7', 'job']) });
  await api.conversations.list({ search: random.of(['', 'job']), limit: 50 });
};

/** One worker for each kind of longer job. */
export const WORKER_COUNT = 8;
const jobs: readonly [Job, ...Job[]] = [
  chat,
  completion,
  speech,
  transcription,
  recording,
  video,
  comparison,
  turn,
  continueTurn,
  continueTurn,
  chat,
  chat,
  completion,
  resume,
  remove,
  look,
];

async function beginMedia(page: OpenPage, role: 'upload' | 'recording'): Promise<string> {
  const query = new URLSearchParams({ name: `${role}.wav`, type: 'audio/wav', role });
  const response = await page.request(`/media?${query}`, { method: 'POST' });
  const { id }: { id: string } = await response.json();
  return id;
}

async function sendSlice(
  page: OpenPage,
  id: string,
  bytes: Uint8Array,
  offset: number,
): Promise<void> {
  await page.request(`/media/${id}?offset=${offset}`, {
    method: 'PUT',
    body: new Uint8Array(bytes),
  });
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
