/**
 * Checks that a restarted host keeps everything that earlier hosts promised. Throws on a
 * difference.
 */
import { isFinished, phaseTraits } from '../../shared/run.ts';
import { getResponse, type RunView } from '../../shared/run-view.ts';
import { type CountingGateway, filmOf, soundOf, textOf } from './counting-gateway.ts';
import { isText, type Journal, type SeenRun, type Sight } from './journal.ts';
import type { OpenPage } from './page.ts';
import { sha256, untilTurnEnds } from './work.ts';

/**
 * Only this many of the newest comparisons and deletions are checked, because older ones already
 * were.
 */
const NEWEST = 5;
const WAV_HEADER_BYTES = 44;

export async function checkRestarted(
  page: OpenPage,
  journal: Journal,
  gateway: CountingGateway,
): Promise<void> {
  const doubled = gateway.doubled();
  if (doubled.length > 0) throw new Error(`Sent more than once: ${doubled.join(', ')}`);
  await checkNothingRuns(page);
  const { notices } = await page.api.system.info();
  if (notices.length > 0) throw new Error(JSON.stringify(notices));
  for (const run of [...journal.open.values()]) await checkRun(page, journal, run);
  await checkRecordings(page, journal);
  await checkComparisons(page, journal);
  await checkTurns(page, journal);
  for (const id of [...journal.removed].slice(-NEWEST)) {
    const found = await page.api.runs.get({ id }).then(
      () => true,
      () => false,
    );
    if (found) throw new Error(`${id} was deleted, and is back.`);
  }
}

/** Waits until the host has ended the runs of the previous host. */
async function checkNothingRuns(page: OpenPage): Promise<void> {
  const filter = { connectionId: null, operation: null, before: null, limit: 200 };
  for (const unfinished of ['queued', 'running'] as const) {
    const { runs } = await page.api.runs.list({ ...filter, status: unfinished });
    for (const { id } of runs) {
      const { view } = await page.api.runs.get({ id });
      if (isFinished(view.status) || phaseTraits[view.phase.name].outlivesMain) continue;
      throw new Error(`${id} runs by itself.`);
    }
  }
}

async function checkRun(page: OpenPage, journal: Journal, run: SeenRun): Promise<void> {
  const about = `${run.operation} run ${run.id} (${run.jobId})`;
  const { view } = await page.api.runs.get({ id: run.id });
  const owed = run.seen;
  const { text } = getResponse(view);
  if (isText(run)) {
    if (!text.startsWith(owed?.text ?? '')) throw new Error(`${about} lost some of its text.`);
    const isSent = textOf(run.jobId).startsWith(text);
    if (!isSent) throw new Error(`${about} has a text that was not sent: ${text}`);
  }
  if (!isFinished(view.status)) {
    if (run.operation === 'video' && phaseTraits[view.phase.name].outlivesMain) return;
    throw new Error(`${about} is ${view.status} after a restart.`);
  }
  checkEnd(about, view, owed);
  await checkMediaOf(page, about, run, view);
  await checkAnswer(page, about, run, text);
  journal.tasks.delete(run.id);
  journal.open.delete(run.id);
  journal.ended.set(run.id, { run, text, status: view.status });
}

function checkEnd(about: string, { status }: RunView, owed: Sight | null): void {
  const possible = owed?.hasTask ? ['succeeded'] : ['succeeded', 'interrupted', 'unknown'];
  const isKnown = owed !== null && isFinished(owed.status);
  if (isKnown ? status !== owed.status : !possible.includes(status)) {
    throw new Error(`${about} is ${status} after a restart; it was ${owed?.status}.`);
  }
}

async function checkMediaOf(
  page: OpenPage,
  about: string,
  run: SeenRun,
  view: RunView,
): Promise<void> {
  if (isText(run)) return;
  const complete = view.media.filter((media) => media.complete);
  if (complete.length === 0 && view.status === 'succeeded')
    throw new Error(`${about} has no file.`);
  const expected = run.operation === 'speech' ? soundOf(run.jobId) : filmOf(run.jobId);
  for (const { id } of complete) await checkMedia(page, id, sha256(expected));
}

export async function checkMedia(page: OpenPage, id: string, hash: string): Promise<void> {
  const bytes = await bytesOf(page, id);
  if (sha256(bytes) !== hash) throw new Error(`Medium ${id} is not what was stored.`);
}

async function bytesOf(page: OpenPage, id: string): Promise<Buffer> {
  const response = await page.request(`/media/${id}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Checks that the conversation shows the run's answer. */
async function checkAnswer(
  page: OpenPage,
  about: string,
  { id, conversationId }: SeenRun,
  text: string,
): Promise<void> {
  if (conversationId === null) return;
  const { messages } = await page.api.conversations.get({ id: conversationId });
  const answer = messages.find(({ run }) => run?.id === id);
  if (answer?.content !== text) {
    throw new Error(`${about}: its conversation shows ${JSON.stringify(answer?.content)}.`);
  }
}

/** Checks that recordings have all confirmed bytes. Later checks treat them like other media. */
async function checkRecordings(page: OpenPage, journal: Journal): Promise<void> {
  for (const [id, taken] of journal.recordings) {
    const media = await page.api.media.get({ id });
    if (media?.complete !== true) throw new Error(`Recording ${id} is not complete.`);
    const bytes = await bytesOf(page, id);
    const same = bytes.subarray(WAV_HEADER_BYTES, taken.length);
    if (!same.equals(taken.subarray(WAV_HEADER_BYTES))) {
      throw new Error(`Recording ${id} has ${bytes.length} of ${taken.length} bytes, or others.`);
    }
    journal.recordings.delete(id);
    journal.media.set(id, sha256(bytes));
  }
}

/** Checks that comparisons have all their cells and wait for the user before sending any. */
async function checkComparisons(page: OpenPage, journal: Journal): Promise<void> {
  for (const [id, count] of [...journal.comparisons].slice(-NEWEST)) {
    const states: string[] = [];
    for await (const { cells, more } of await page.api.comparisons.watch({ id })) {
      states.push(...cells.map(({ state }) => state));
      if (!more) break;
    }
    if (states.length !== count || states.includes('waiting')) {
      throw new Error(`Comparison ${id} is ${states.join(', ')} after a restart.`);
    }
  }
}

/** Checks that no turn continues by itself and no tool call has two results. */
async function checkTurns(page: OpenPage, journal: Journal): Promise<void> {
  for (const [id] of [...journal.turns].slice(-NEWEST)) {
    const { turns, messages } = await page.api.conversations.get({ id });
    const results = messages.flatMap(({ toolCallId }) => toolCallId ?? []);
    if (turns.length > 0) throw new Error(`The turn of ${id} continued by itself.`);
    if (new Set(results).size < results.length) throw new Error(`${id} has a result twice.`);
  }
}

/** Continues every turn whose last request completed, and returns the number of turns. */
export async function checkTurnsContinue(page: OpenPage, journal: Journal): Promise<number> {
  let continued = 0;
  for (const [id, jobId] of journal.turns) {
    const { activeLeafId: leafId, messages } = await page.api.conversations.get({ id });
    const leaf = messages.find((message) => message.id === leafId);
    const isOpen = leaf?.role === 'tool' || (leaf?.toolCalls.length ?? 0) > 0;
    if (leaf === undefined || !isOpen) continue;
    await page.api.conversations.continueTurn({ conversationId: id, leafId: leaf.id });
    await untilTurnEnds({ pages: [page], isOver: () => false }, id);
    const { messages: now } = await page.api.conversations.get({ id });
    const text = now.at(-1)?.content;
    if (text !== textOf(jobId)) throw new Error(`The turn of ${id} ended with ${String(text)}.`);
    continued += 1;
  }
  return continued;
}

/** Checks that finished runs and complete media items are unchanged. */
export async function checkAll(page: OpenPage, { ended, media }: Journal): Promise<void> {
  for (const [id, { text, status }] of ended) {
    const { view } = await page.api.runs.get({ id });
    if (getResponse(view).text !== text || view.status !== status) {
      throw new Error(`${id} is not what it was.`);
    }
  }
  for (const [id, hash] of media) await checkMedia(page, id, hash);
}
