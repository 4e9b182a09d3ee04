/** Runs the self-check's requests as the page would send them. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import type { AppContract } from '../../shared/contract/contract.ts';
import type { JsonObject } from '../../shared/json.ts';
import { mediaSchema } from '../../shared/media.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import type { RunView } from '../../shared/run-view.ts';
import { createWavHeader } from '../../shared/wav.ts';
import { encodeEvents } from '../storage/event-lines.ts';
import { openJournal } from '../storage/journal.ts';
import { createJournals } from '../storage/journals.ts';
import type { SelfCheckStep } from './self-check.ts';

export interface PageLink {
  api: ContractRouterClient<AppContract>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export const checkedEnvironment = {
  GATEHOUSE_DEMO_SPEED: '50',
  GATEHOUSE_DEMO_VIDEO_SECONDS: '0',
};

/** Each format has a different encoder, and all but Opus need WebAssembly. */
const audioFormats = ['mp3', 'aac', 'flac', 'opus'];
const POLL_MS = 20;
const shape = { sampleRate: 8000, channels: 1 };

export function listPageChecks(link: () => Promise<PageLink>): SelfCheckStep[] {
  return [
    { name: 'SQLite with full-text search', run: checkFullTextSearch },
    {
      name: 'contract round trip',
      async run() {
        const { api } = await link();
        const info = await api.system.info();
        return `${info.host} host`;
      },
    },
    {
      name: 'page',
      async run() {
        const page = await (await link()).fetch('/');
        const html = await page.text();
        if (page.status !== 200 || !html.includes('<div id='))
          throw new Error(`HTTP ${page.status}`);
        return null;
      },
    },
    {
      name: 'range of a growing file',
      run: async () => checkGrowingFile(await link()),
    },
    {
      name: 'media thread',
      run: async () => checkMeasuring(await link()),
    },
    {
      name: 'demo chat',
      async run(signal) {
        const messages = [{ role: 'user', content: 'self-check' }];
        const run = await runDemo(await link(), 'chat', { model: 'demo-echo', messages }, signal);
        return run.preview;
      },
    },
    {
      name: 'journal of a stream',
      run: checkJournal,
    },
    {
      name: 'search thread',
      run: async (signal) => checkSearch(await link(), signal),
    },
    ...audioFormats.map(
      (format, at): SelfCheckStep => ({
        name: `WebAssembly: demo speech as ${format}`,
        isThreaded: true,
        run: async (signal) =>
          checkMade(
            await link(),
            'speech',
            {
              model: 'demo-speech',
              voice: 'alloy',
              response_format: format,
              // Text in other scripts is hummed without the synthesizer, which the first run
              // already checks.
              input: at === 0 ? 'Ready.' : '門',
            },
            signal,
          ),
      }),
    ),
    {
      name: 'WebAssembly: demo video',
      isThreaded: true,
      run: async (signal) =>
        checkMade(
          await link(),
          'video',
          { model: 'demo-video', prompt: 'A gate', duration: 1, width: 160, height: 90, fps: 5 },
          signal,
        ),
    },
  ];
}

async function checkFullTextSearch(): Promise<string> {
  const db = new DatabaseSync(':memory:');
  try {
    db.exec("CREATE VIRTUAL TABLE text USING fts5(words); INSERT INTO text VALUES ('a gatehouse')");
    const found = db.prepare("SELECT count(*) AS n FROM text WHERE text MATCH 'gatehouse'").get();
    if (found?.n !== 1) throw new Error('FTS5 didn’t find what was written.');
    return String(db.prepare('SELECT sqlite_version() AS version').get()?.version);
  } finally {
    db.close();
  }
}

/** Writes as a live stream does, reads what a killed process would leave, and deletes it. */
async function checkJournal(): Promise<null> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-journal-'));
  const writing = createJournals({ home, now: Date.now });
  try {
    const journal = writing.open('self-check', () => null);
    const event = { kind: 'following', seq: 1, atMs: 0, exchange: 0, on: true } as const;
    journal.append([event]);
    const left = openJournal('self-check', journal.path, { isLeft: true });
    const lines = [...left.readUnpacked()];
    left.close();
    if (lines.length !== 1 || lines[0]?.text !== encodeEvents([event])) {
      throw new Error('Another process read something else than was written.');
    }
    if (!writing.remove('self-check') || existsSync(journal.path)) {
      throw new Error('The file couldn’t be deleted.');
    }
    return null;
  } finally {
    await writing.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function checkGrowingFile({ fetch }: PageLink): Promise<null> {
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
  const id = await begin(fetch, 'name=self-check.bin');
  await put(fetch, id, 0, bytes);
  const part = await fetch(`/media/${id}`, { headers: { range: 'bytes=600-' } });
  const range = part.headers.get('content-range');
  await put(fetch, id, bytes.length, bytes);
  await fetch(`/media/${id}/finish`, { method: 'POST' });
  const came = new Uint8Array(await part.arrayBuffer());
  await fetch(`/media/${id}`, { method: 'DELETE' });
  if (part.status !== 206 || !/^bytes 600-\d+\/\*$/.test(range ?? '')) {
    throw new Error(`HTTP ${part.status}, content-range ${range ?? 'none'}`);
  }
  const expected = [...bytes.subarray(600), ...bytes];
  if (came.length !== expected.length || !expected.every((byte, at) => byte === came[at])) {
    throw new Error('Received the wrong bytes.');
  }
  return null;
}

/** The worker thread measures the duration. */
async function checkMeasuring({ fetch }: PageLink): Promise<string> {
  const samples = new Uint8Array(shape.sampleRate * 2);
  const id = await begin(fetch, 'name=self-check.wav&type=audio/wav');
  await put(fetch, id, 0, createWavHeader(shape, samples.length));
  await put(fetch, id, 44, samples);
  const finished = await fetch(`/media/${id}/finish`, { method: 'POST' });
  const media = mediaSchema.parse(await finished.json());
  const peaks = await fetch(`/media/${id}/peaks?points=4`);
  await fetch(`/media/${id}`, { method: 'DELETE' });
  if (media.durationSeconds !== 1 || peaks.status !== 200) {
    throw new Error(`Expected 1 s of audio, measured ${media.durationSeconds} s.`);
  }
  return media.type;
}

/** The check retries, because the index is written shortly after the run. */
async function checkSearch({ api }: PageLink, signal: AbortSignal): Promise<null> {
  const filter = { connectionId: null, operation: null, status: null, before: null, limit: 1 };
  for (;;) {
    signal.throwIfAborted();
    const { runs } = await api.runs.list({ ...filter, search: 'self-check' });
    if (runs.length === 1) return null;
    await pause(POLL_MS, undefined, { signal });
  }
}

async function checkMade(
  link: PageLink,
  operation: 'speech' | 'video',
  request: JsonObject,
  signal: AbortSignal,
): Promise<string> {
  const { media } = await runDemo(link, operation, request, signal);
  const [made] = media;
  if (made === undefined || !made.complete) throw new Error('No file was produced.');
  return `${made.type}, ${made.sizeBytes} bytes`;
}

async function runDemo(
  { api }: PageLink,
  operation: OperationName,
  request: JsonObject,
  signal: AbortSignal,
): Promise<RunView> {
  const { runId: id } = await api.runs.start({ connectionId: 'demo', operation, request });
  const updates = await api.runs.watch({ id, after: null }, { signal });
  // The stream of updates ends with the run.
  for await (const _update of updates);
  const { view } = await api.runs.get({ id });
  if (view.status !== 'succeeded') {
    throw new Error(view.error?.message ?? `Run status: ${view.status}.`);
  }
  return view;
}

const begunSchema = z.object({ id: z.string() });

async function begin(fetch: PageLink['fetch'], query: string): Promise<string> {
  const begun = await fetch(`/media?${query}`, { method: 'POST' });
  if (begun.status !== 201) throw new Error(`HTTP ${begun.status} at the media route`);
  return begunSchema.parse(await begun.json()).id;
}

async function put(
  fetch: PageLink['fetch'],
  id: string,
  offset: number,
  body: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { status } = await fetch(`/media/${id}?offset=${offset}`, { method: 'PUT', body });
  if (status !== 204) throw new Error(`HTTP ${status} at the media route`);
}
