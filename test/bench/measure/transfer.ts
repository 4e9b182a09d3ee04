/**
 * Uploads or downloads a large file with Gatehouse or a plain pipe, in its own process.
 * `transfer.ts <upload|download> <ours|pipe> <bytes> <origin> <folder>` prints one JSON document.
 */
import { createReadStream, createWriteStream, readdirSync, rmSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { StartInput } from '../../../shared/contract/runs.ts';
import { createMediaReference } from '../../../shared/media.ts';
import { watchMemory } from '../harness/process-memory.ts';
import { timed } from '../harness/rounds.ts';
import { openBenchHome } from './bench-home.ts';

const [direction = '', who = '', bytesText = '', origin = '', folder = ''] = process.argv.slice(2);
const bytes = Number(bytesText);
const home = join(folder, 'home');
/** Allows for the form around the file. */
const FRAMING = 10_000;

/** Finds the stored file by its size. */
function storedFile(): string {
  const paths = readdirSync(join(home, 'media')).map((name) => join(home, 'media', name));
  return paths.find((path) => statSync(path).size === bytes) ?? '';
}

/** Sends a request with `write` as its body. Resolves once the response headers arrive. */
function post(path: string, headers: Record<string, number>, write: NodeJS.ReadableStream | null) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method: 'POST', headers }, resolve);
    sent.on('error', reject);
    if (write === null) sent.end();
    else pipeline(write, sent).catch(reject);
  });
}

/** Transfers the file with Node streams, and returns the number of bytes received. */
const byPipe: Record<string, () => Promise<number>> = {
  async upload() {
    const reply = await post('/', { 'content-length': bytes }, createReadStream(storedFile()));
    const received: { text: string } = JSON.parse(await text(reply));
    return Number(received.text);
  },
  async download() {
    const target = join(folder, 'piped.wav');
    await pipeline(await post(`/?bytes=${bytes}`, {}, null), createWriteStream(target));
    const { size } = statSync(target);
    rmSync(target);
    return size;
  },
};

async function openOurs(): Promise<Record<string, () => Promise<number>>> {
  const path = direction === 'download' ? `/bytes/${bytes}` : '';
  const { services } = await openBenchHome(`${origin}${path}`, home);
  const { engine, media } = services;
  const page = { kind: null, role: null, after: null, limit: 100 } as const;
  const stored = media.list(page).media.find(({ sizeBytes }) => sizeBytes === bytes);
  const run = async (input: Pick<StartInput, 'operation' | 'request'>) => {
    const rest = { connectionId: 'environment', extraBody: {}, wireNames: {}, follow: null };
    const id = await engine.start({ ...rest, ...input });
    while (engine.activeCount() > 0) await pause(1);
    return engine.view(id);
  };
  return {
    async upload() {
      const request = { model: 'm', file: createMediaReference(stored?.id ?? '') };
      const view = await run({ operation: 'transcription', request });
      return view.operation === 'transcription' ? Number(view.state.text) : 0;
    },
    async download() {
      const request = { model: 'm', input: 'x', voice: 'alloy', response_format: 'wav' };
      const view = await run({ operation: 'speech', request });
      return view.media[0]?.sizeBytes ?? 0;
    },
  };
}

const transfer = (who === 'ours' ? await openOurs() : byPipe)[direction];
if (transfer === undefined) throw new Error('There is no such direction.');
// Exclude garbage left over from startup.
globalThis.gc?.();
const startBytes = process.memoryUsage().rss;
const memory = watchMemory([process.pid]);
let moved = 0;
const ms = await timed(async () => {
  moved = await transfer();
});
const growth = memory();
if (moved < bytes || moved > bytes + FRAMING) throw new Error(`Only ${moved} bytes arrived.`);
console.log(JSON.stringify({ ms, startBytes, growth }));
process.exit(0);
