/** Starts Gatehouse's services in a temporary folder, connected to the benchmark's gateway. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createServices, type Services } from '../../../electron/services.ts';
import type { StartInput } from '../../../shared/contract/runs.ts';

export interface BenchHome {
  services: Services;
  path: string;
  /** Runs this many chats at once, and resolves with their run IDs. */
  chat(count: number): Promise<string[]>;
  /** Returns the text of a chat that succeeded. */
  textOf(runId: string): Promise<string>;
  close(): Promise<void>;
}

const chatInput: StartInput = {
  operation: 'chat',
  connectionId: 'environment',
  request: { model: 'm', messages: [{ role: 'user', content: 'x' }], stream: true },
  extraBody: {},
  wireNames: {},
  follow: null,
};

/** Opens the services. `baseUrl` must not include `/v1`. */
export async function openBenchHome(
  baseUrl: string,
  path = mkdtempSync(join(tmpdir(), 'gatehouse-bench-')),
): Promise<BenchHome> {
  const services = await createServices({
    host: 'browser',
    home: path,
    version: '0.0.0',
    environment: { GATEHOUSE_BASE_URL: baseUrl, GATEHOUSE_API_KEY: 'sk-bench-0123456789abcdef' },
    cipher: null,
    systemProxy: null,
    openExternal: null,
    log: () => undefined,
  });
  const { engine } = services;
  return {
    services,
    path,
    async chat(count) {
      const starts = Array.from({ length: count }, () => engine.start(chatInput));
      const ids = await Promise.all(starts);
      while (engine.activeCount() > 0) await pause(1);
      return ids;
    },
    async textOf(runId) {
      const view = await engine.view(runId);
      if (view.operation !== 'chat' || view.status !== 'succeeded')
        throw new Error('A run failed.');
      return String(view.state.choices[0]?.message.content ?? '');
    },
    async close() {
      await services.close();
      rmSync(path, { recursive: true });
    },
  };
}

/** Starts a gateway from `../gateways` in its own thread. */
export async function startGateway(name: string): Promise<{ origin: string; thread: Worker }> {
  const thread = new Worker(new URL(`../gateways/${name}.ts`, import.meta.url));
  const port = await new Promise<number>((resolve) => thread.once('message', resolve));
  return { origin: `http://127.0.0.1:${port}`, thread };
}

/** Returns the total size of the files directly in a folder, such as the database and its log. */
export function getFolderSize(folder: string): number {
  return readdirSync(folder)
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
