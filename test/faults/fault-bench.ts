/** Runs one instance of all services per target against a server with an interchangeable script. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionOptionsInputSchema } from '../../shared/connection-options.ts';
import type { RunView } from '../../shared/run-view.ts';
import { TEST_MS } from '../fixtures/patience.ts';
import { type Bench, benchOn, testKey } from '../fixtures/run-operation.ts';
import { startTestServices } from '../fixtures/test-services.ts';
import { type Script, startWireServer } from '../fixtures/wire-server.ts';
import { type Fault, PATIENT } from './fault.ts';
import { trustedCertificate } from './secure.ts';
import { goodReply, type Target, targets, WORDS } from './targets.ts';

/** A run that takes longer hangs. On a busy machine, decompressing 34 MB took two minutes. */
const MAX_MS = TEST_MS / 2;
/** The distance between two cuts, chosen to split characters of four bytes. */
const STEP = 3;

export interface Outcome {
  /** The outcome in the words of the table. */
  text: string;
  nextStep: string;
  /** Problems in words. Empty if there are none. */
  problems: string[];
}

export interface FaultBench {
  /** Runs the target's operation with the fault, then again with a good response. */
  run(target: Target, fault: Fault): Promise<Outcome[]>;
}

export async function startFaultBench(
  atEnd: (end: () => unknown) => void,
  defects: string[],
): Promise<FaultBench> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-faults-'));
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  let script: Script = () => undefined;
  let takeOver: (socket: Socket) => boolean = () => false;
  const server = await startWireServer(
    (wire) => script(wire),
    undefined,
    (socket) => takeOver(socket),
  );
  atEnd(() => server.close());
  const services = await startTestServices({
    onThreads: true,
    baseUrl: server.url,
    key: testKey,
    home,
    polling: { spacingMs: 1, random: () => 0.5, pauseMs: (ms) => ms / 1000 },
    log: (line) => defects.push(line),
    atEnd,
  });
  const bench = benchOn(server, services);
  const { engine, settings, connections } = services;

  async function perform(target: Target, fault: Fault | null, place = 0) {
    let asked = 0;
    const sent: Buffer[] = [];
    script = (wire) => {
      const isMeant = target.isMeant(wire.request);
      if (isMeant) asked += 1;
      if (!isMeant || (asked > 1 && !fault?.isLasting) || !fault?.answer) {
        return wire.send(answerWell(target, wire.request));
      }
      const send = (bytes: string | Uint8Array): Promise<void> => {
        sent.push(Buffer.from(bytes));
        return wire.send(bytes);
      };
      return void fault.answer({ ...wire, send }, target, place);
    };
    let isTaken = false;
    takeOver = (socket) => {
      if (isTaken || !fault?.connected) return false;
      isTaken = true;
      asked += 1;
      fault.connected(socket);
      return true;
    };
    // Skip idle connections as after a sleep, because reusing one would avoid the fault.
    if (fault?.connected) services.wake();
    settings.update({ timeouts: { [target.operation]: { ...PATIENT, ...fault?.timeouts } } });
    const connectionId =
      fault?.baseUrl === undefined
        ? 'environment'
        : (
            await connections.create({
              name: fault.name.slice(0, 60),
              baseUrl: await fault.baseUrl(),
              options: connectionOptionsInputSchema.parse({
                caCertificate: { kind: 'pem', text: trustedCertificate },
              }),
            })
          ).id;
    const runId = await engine.start({
      connectionId,
      operation: target.operation,
      request: await (fault?.request ?? target.request)(bench),
    });
    const isHanging = await hangs(bench, target, runId);
    return { view: await engine.view(runId), asked, sent: Buffer.concat(sent), isHanging };
  }

  async function runAt(target: Target, fault: Fault, place: number): Promise<Outcome> {
    const { view, asked, sent, isHanging } = await perform(target, fault, place);
    const problems: string[] = [];
    if (isHanging) problems.push('hangs');
    const awaited = fault.words?.(target) ?? WORDS.filter((word) => sent.includes(word));
    const kept = await wordsKept(bench, view, awaited);
    if (kept === 'lost') problems.push('text lost');
    if (!target.isRead && asked > (fault.sends ?? 1)) problems.push(`sent ${asked} times`);
    if (view.error?.kind === 'unexpected') problems.push(view.error.detail ?? 'unexpected');
    if (view.error && !isOneStep(view.error.nextStep)) problems.push('no single next step');
    if (!target.isRead && view.status === 'unknown' && !isCareful(view.error?.nextStep ?? '')) {
      problems.push('may be billed twice by its next step');
    }
    const isSilent = view.status === 'succeeded' && warningsOf(view) === 0;
    if (kept === 'in exchange' && isSilent && !view.figures?.noResult && asked === 1) {
      problems.push('text left out without a word');
    }
    if (!fault.isGarbled && JSON.stringify(view.state).includes('\ufffd')) {
      problems.push('a character in pieces');
    }
    const nextStep = view.error?.nextStep ?? '';
    return { text: describe(view, awaited, kept, asked), nextStep, problems };
  }

  /** Runs the target again, and returns problems if that run fails. */
  async function problemsAfter(target: Target, fault: Fault): Promise<string[]> {
    // A request on a connection that is about to close would rightly end as unknown.
    if (fault.closes) services.wake();
    const { view, asked } = await perform(target, null);
    const kept = await wordsKept(bench, view, WORDS);
    const isFine = view.status === 'succeeded' && asked === 1 && kept === 'in state';
    if (isFine) return [];
    const error = view.error ? `, ${view.error.message} ${view.error.detail ?? ''}` : '';
    return [`the next run: ${view.status}, ${asked} requests, ${kept}${error}`];
  }

  const seen = new Set<string>();

  return {
    async run(target, fault) {
      const outcomes: (Outcome & { places: number[] })[] = [];
      const places = fault.places?.(target) ?? 1;
      for (let place = 0; place < places; place += STEP) {
        const outcome = await runAt(target, fault, place);
        const known = outcomes.find(
          ({ text, nextStep }) => text === outcome.text && nextStep === outcome.nextStep,
        );
        const end = `${outcome.text}: ${outcome.nextStep}`;
        const mayBreakNext = !fault.isFramed && known === undefined;
        const problems = [...outcome.problems];
        if (mayBreakNext || !seen.has(end)) problems.push(...(await problemsAfter(target, fault)));
        seen.add(end);
        known?.problems.push(...problems);
        known?.places.push(place);
        if (!known) outcomes.push({ ...outcome, problems, places: [place] });
      }
      if (places === 1) return outcomes;
      return outcomes.map(({ text, nextStep, problems, places }) => ({
        text: `${text} (after ${rangesOf(places)} bytes)`,
        nextStep,
        problems,
      }));
    },
  };
}

/** Joins consecutive numbers into ranges such as `0–6, 12`. */
function rangesOf(places: readonly number[]): string {
  const starts = places.filter((place) => !places.includes(place - STEP));
  const ends = places.filter((place) => !places.includes(place + STEP));
  return starts
    .map((start, at) => (start === ends[at] ? `${start}` : `${start}–${ends[at]}`))
    .join(', ');
}

function answerWell(target: Target, request: string): Uint8Array {
  const asked = targets.find(
    (other) => other.operation === target.operation && other.isMeant(request),
  );
  return goodReply(asked ?? target);
}

async function hangs({ services: { engine } }: Bench, { operation }: Target, runId: string) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), MAX_MS);
  try {
    for await (const _update of engine.watch(runId, null, stop.signal)) {
      // The watch ends when the run ends.
    }
  } catch (cause) {
    if (!stop.signal.aborted) throw cause;
  }
  clearTimeout(timer);
  if (!stop.signal.aborted) return false;
  await engine.cancel(runId);
  console.log(`${operation} hangs`);
  return true;
}

type Kept = 'in state' | 'in exchange' | 'lost';

async function wordsKept(bench: Bench, view: RunView, words: string[]): Promise<Kept> {
  let missing = words.filter((word) => !JSON.stringify(view.state).includes(word));
  for (const { id } of view.media) {
    if (missing.length === 0) break;
    const bytes = await readFile(bench.services.media.path(id));
    missing = missing.filter((word) => !bytes.includes(word));
  }
  if (missing.length === 0) return 'in state';
  for (let after = 0; missing.length > 0; ) {
    const { events } = bench.services.ledger.events(view.id, { after, limit: 2000, kinds: null });
    const last = events.at(-1);
    if (last === undefined) return 'lost';
    const text = JSON.stringify(events.filter(({ kind }) => kind !== 'request'));
    missing = missing.filter((word) => !text.includes(word));
    after = last.seq;
  }
  return 'in exchange';
}

function describe(view: RunView, words: string[], kept: Kept, asked: number): string {
  const parts = [view.error ? `${view.status}: ${view.error.kind}` : view.status];
  if (view.status === 'succeeded' && view.figures?.noResult) parts.push('no result');
  const isAnswer = asked === 1 && view.status === 'succeeded';
  const count = WORDS.filter((word) => words.some((text) => text.includes(word))).length;
  if (isAnswer && count < WORDS.length) parts.push(`${count} of 3 words`);
  if (kept === 'in exchange') parts.push('text only in the exchange');
  else if (words.length > 0 && view.status !== 'succeeded') parts.push('text kept');
  if (asked !== 1) parts.push(`sent ${asked} times`);
  return parts.join(', ');
}

function warningsOf({ state }: RunView): number {
  return 'warnings' in state ? state.warnings.length : 0;
}

function isCareful(step: string): boolean {
  return step.startsWith('Check your gateway usage');
}

/** Returns true if the step is a single line of text. */
function isOneStep(step: string): boolean {
  return /\S/.test(step) && !step.includes('\n');
}
