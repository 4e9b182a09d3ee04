/**
 * Compares streaming from the socket to the database with readers that store nothing; prints JSON.
 */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '../../../electron/storage/database.ts';
import { fillLedger } from '../harness/fill-ledger.ts';
import { interleave, timed } from '../harness/rounds.ts';
import { type BenchHome, getFolderSize, openBenchHome, startGateway } from './bench-home.ts';
import { loadPeerReaders, readByHand } from './stream-readers.ts';

const FAST_TOKENS = 50_000;
const MANY = { streams: 200, perSecond: 100, tokens: 600 };
const SLOW = { perSecond: 50, tokens: 1000, rounds: 3, runsBefore: 1000 };
const MEMORY_RUNS = 10;
/** Leaves time for work after a run, such as packing and indexing. */
const REST_MS = 4000;

const gateway = await startGateway('stream');
const { readWithOpenai, readWithAiSdk } = await loadPeerReaders();

const sentText = (tokens: number) =>
  Array.from({ length: tokens }, (_, at) => ` word${at % 977}`).join('');

function expectText(text: string, tokens: number): void {
  if (text !== sentText(tokens)) throw new Error('What was read is not what was sent.');
}

/** Measures how many milliseconds 50,000 tokens take. */
async function speed() {
  const url = `${gateway.origin}/fast`;
  const home = await openBenchHome(url);
  const reads = (read: (baseUrl: string) => Promise<string>) => async () => {
    let text = '';
    const ms = await timed(async () => {
      text = await read(`${url}/v1`);
    });
    expectText(text, FAST_TOKENS);
    return ms;
  };
  const cpuMs: number[] = [];
  const times = await interleave({
    hand: reads(readByHand),
    openai: reads(readWithOpenai),
    aiSdk: reads(readWithAiSdk),
    async ours() {
      let ids: string[] = [];
      const before = process.threadCpuUsage();
      const ms = await timed(async () => {
        ids = await home.chat(1);
      });
      cpuMs.push(cpuSince(before));
      for (const id of ids) expectText(await home.textOf(id), FAST_TOKENS);
      return ms;
    },
  });
  await pause(REST_MS);
  await home.services.close();
  const keptBytesPerToken = getFolderSize(home.path) / ((times.ours.length + 1) * FAST_TOKENS);
  // The first round is a warm-up.
  return { ...times, cpuMs: cpuMs.slice(-times.ours.length), keptBytesPerToken };
}

/** Returns this thread's CPU time in milliseconds. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Measures event loop delay and CPU time with 200 streams at 100 tokens a second. */
async function many() {
  const url = `${gateway.origin}/paced/${MANY.perSecond}/${MANY.tokens}`;
  const home = await openBenchHome(url);
  const loads = (work: () => Promise<readonly string[]>) => async () => {
    const histogram = monitorEventLoopDelay({ resolution: 1 });
    const before = process.threadCpuUsage();
    histogram.enable();
    const texts = await work();
    histogram.disable();
    const cpuMs = cpuSince(before);
    for (const text of texts) expectText(text, MANY.tokens);
    return { p99Ms: histogram.percentile(99) / 1e6, cpuMs };
  };
  const all = <Result>(read: () => Promise<Result>) =>
    Promise.all(Array.from({ length: MANY.streams }, read));
  const samples = await interleave({
    hand: loads(() => all(() => readByHand(`${url}/v1`))),
    openai: loads(() => all(() => readWithOpenai(`${url}/v1`))),
    async ours() {
      let ids: string[] = [];
      const load = await loads(async () => {
        ids = await home.chat(MANY.streams);
        return [];
      })();
      for (const id of ids) expectText(await home.textOf(id), MANY.tokens);
      return load;
    },
  });
  await home.close();
  return samples;
}

/** Returns the bytes that this process wrote, or null if the system doesn't report them. */
function writtenBytes(): number | null {
  if (!existsSync('/proc/self/io')) return null;
  const [, bytes] = /^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8')) ?? [];
  return bytes === undefined ? null : Number(bytes);
}

/**
 * Returns the bytes that a run writes in a folder with `runsBefore` runs, or nothing if unknown.
 */
async function writing(runsBefore: number): Promise<number[]> {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const storage = openStorage({ home: path, now: Date.now });
  fillLedger(storage, runsBefore);
  await storage.close();
  const home = await openBenchHome(
    `${gateway.origin}/paced/${SLOW.perSecond}/${SLOW.tokens}`,
    path,
  );
  await pause(REST_MS);
  const before = writtenBytes();
  await home.chat(1);
  await pause(REST_MS);
  const after = writtenBytes();
  await home.close();
  return before === null || after === null ? [] : [(after - before) / SLOW.tokens];
}

async function writings(runsBefore: number): Promise<number[]> {
  const written: number[] = [];
  for (let at = 0; at < SLOW.rounds; at += 1) written.push(...(await writing(runsBefore)));
  return written;
}

async function heapBytes(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await pause(300);
  }
  return process.memoryUsage().heapUsed;
}

/** Measures heap growth after half a million tokens. */
async function memory(home: BenchHome) {
  await home.chat(1);
  await pause(REST_MS);
  const before = await heapBytes();
  for (let at = 0; at < MEMORY_RUNS; at += 1) await home.chat(1);
  await pause(REST_MS);
  const keptBytes = (await heapBytes()) - before;
  await home.close();
  return keptBytes;
}

const figures = {
  speed: await speed(),
  many: await many(),
  writtenBytesPerToken: await writings(0),
  laterWrittenBytesPerToken: await writings(SLOW.runsBefore),
  keptHeapBytes: await memory(await openBenchHome(`${gateway.origin}/fast`)),
};
console.log(JSON.stringify(figures));
process.exit(0);
