/**
 * What a stream costs from the socket to the ledger, beside a loop written by hand that keeps nothing. A process of its
 * own, run by Node as the product is; prints one JSON document. `--expose-gc` is needed.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createServices, type Services } from '../../electron/services.ts';

const ROUNDS = 7;
const FAST_TOKENS = 50_000;
const MANY = { streams: 200, perSecond: 100, tokens: 600 };
const SLOW = { perSecond: 50, tokens: 1000 };
const MEMORY_RUNS = 10;
/** What is left to do after a run, such as packing and the index, has time to end. */
const REST_MS = 4000;

const gateway = new Worker(new URL('./stream-gateway.ts', import.meta.url));
const port = await new Promise<number>((resolve) => gateway.once('message', resolve));
const origin = `http://127.0.0.1:${port}`;

/** Reads a stream as a good engineer would by hand: split, parse, add up. */
function byHand(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    let rest = '';
    const sent = request(`${origin}${path}/v1/chat/completions`, { method: 'POST' }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        rest += piece;
        let from = 0;
        for (let at = rest.indexOf('\n\n'); at !== -1; at = rest.indexOf('\n\n', from)) {
          const data = rest.slice(from + 'data: '.length, at);
          from = at + 2;
          if (data !== '[DONE]') text += JSON.parse(data).choices[0].delta.content;
        }
        rest = rest.slice(from);
      });
      response.on('end', () => resolve(text.length));
    });
    sent.on('error', reject);
    sent.end('{}');
  });
}

interface Home {
  services: Services;
  path: string;
  run(count: number): Promise<void>;
  close(): Promise<void>;
}

async function openHome(path: string): Promise<Home> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const services = await createServices({
    host: 'browser',
    home,
    version: '0.0.0',
    environment: {
      GATEHOUSE_BASE_URL: `${origin}${path}`,
      GATEHOUSE_API_KEY: 'sk-bench-0123456789abcdef',
    },
    cipher: null,
    systemProxy: null,
    openExternal: null,
    log: () => undefined,
  });
  return {
    services,
    path: home,
    async run(count) {
      const ids: string[] = [];
      for (let at = 0; at < count; at += 1) {
        ids.push(
          await services.engine.start({
            operation: 'chat',
            connectionId: 'environment',
            request: { model: 'm', messages: [{ role: 'user', content: 'x' }], stream: true },
            extraBody: {},
            wireNames: {},
            follow: null,
          }),
        );
      }
      while (services.engine.activeCount() > 0) await pause(1);
      const failed = ids.find((id) => services.ledger.run(id)?.status !== 'succeeded');
      if (failed !== undefined) throw new Error('A run has not succeeded.');
    },
    async close() {
      await services.close();
      rmSync(home, { recursive: true });
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** One after the other in each round, so that what else the machine does meets both. */
async function speed() {
  const home = await openHome('/fast');
  const hand: number[] = [];
  const ours: number[] = [];
  await byHand('/fast');
  await home.run(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    hand.push(await timed(() => byHand('/fast')));
    ours.push(await timed(() => home.run(1)));
  }
  await pause(REST_MS);
  await home.services.close();
  const bytes = readdirSync(home.path)
    .map((name) => statSync(join(home.path, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  rmSync(home.path, { recursive: true });
  return { hand, ours, keptBytesPerToken: bytes / ((ROUNDS + 1) * FAST_TOKENS) };
}

/** Null where the system does not say what this process has written. */
function writtenBytes(): number | null {
  try {
    const [, bytes] = /^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8')) ?? [];
    return bytes === undefined ? null : Number(bytes);
  } catch {
    return null;
  }
}

async function writing() {
  const home = await openHome(`/paced/${SLOW.perSecond}/${SLOW.tokens}`);
  await pause(REST_MS);
  const before = writtenBytes();
  await home.run(1);
  await pause(REST_MS);
  const after = writtenBytes();
  await home.close();
  return before === null || after === null ? null : (after - before) / SLOW.tokens;
}

async function many() {
  const path = `/paced/${MANY.perSecond}/${MANY.tokens}`;
  const home = await openHome(path);
  const delays = async (work: () => Promise<unknown>) => {
    const histogram = monitorEventLoopDelay({ resolution: 1 });
    const before = process.threadCpuUsage();
    histogram.enable();
    await work();
    histogram.disable();
    const { user, system } = process.threadCpuUsage(before);
    return { p99Ms: histogram.percentile(99) / 1e6, cpuMs: (user + system) / 1000 };
  };
  const hand = await delays(() =>
    Promise.all(Array.from({ length: MANY.streams }, () => byHand(path))),
  );
  const ours = await delays(() => home.run(MANY.streams));
  await home.close();
  return { hand, ours };
}

async function heapBytes(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await pause(300);
  }
  return process.memoryUsage().heapUsed;
}

/** What stays on the heap of half a million tokens. */
async function memory() {
  const home = await openHome('/fast');
  await home.run(1);
  await pause(REST_MS);
  const before = await heapBytes();
  for (let at = 0; at < MEMORY_RUNS; at += 1) await home.run(1);
  await pause(REST_MS);
  const keptBytes = (await heapBytes()) - before;
  await home.close();
  return { keptBytes };
}

console.log(
  JSON.stringify({
    speed: await speed(),
    many: await many(),
    writtenBytesPerToken: await writing(),
    memory: await memory(),
  }),
);
process.exit(0);
