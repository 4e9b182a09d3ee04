import { ORPCError } from '@orpc/client';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { createChanges } from '../../electron/changes.ts';
import type { Connection, ConnectionInput, KeyKeeping } from '../../shared/connection.ts';
import type { Notice, SystemInfo } from '../../shared/contract/system.ts';
import { defaultSettings } from '../../shared/default-settings.ts';
import type { ParameterPreset } from '../../shared/preset.ts';
import type { Settings } from '../../shared/settings.ts';

import { fakeForms } from './fake-forms.ts';

const demo: Connection = {
  id: 'demo',
  kind: 'demo',
  name: 'Demo',
  baseUrl: 'http://127.0.0.1:4100',
  key: null,
  createdAt: 0,
};

const changes = createChanges();

/** What the fake main knows, and what came in. */
export const main = {
  connections: [demo],
  settings: defaultSettings as Settings,
  notices: [] as Notice[],
  presets: [] as ParameterPreset[],
  keys: [] as { id: string; key: string; keeping: KeyKeeping }[],
};

export function resetMain(): void {
  main.connections = [demo];
  main.settings = defaultSettings;
  main.notices = [];
  main.presets = [];
  main.keys = [];
}

function change(id: string, changed: Partial<Connection>): Connection {
  const found = main.connections.find((connection) => connection.id === id);
  if (found === undefined) throw new ORPCError('NOT_FOUND');
  const connection = { ...found, ...changed };
  main.connections = main.connections.map((other) => (other.id === id ? connection : other));
  changes.announce('connections', id);
  return connection;
}

function check({ name, baseUrl }: ConnectionInput): void {
  const issues = [
    ...(name === '' ? [{ path: ['name'], message: 'Enter a name.' }] : []),
    ...(baseUrl.startsWith('http') ? [] : [{ path: ['baseUrl'], message: 'Enter a URL.' }]),
  ];
  if (issues.length > 0) throw new ORPCError('BAD_REQUEST', { data: { issues } });
}

export const api = {
  forms: fakeForms,
  system: {
    info: async (): Promise<SystemInfo> => ({
      host: 'browser',
      version: '0.1.0',
      platform: 'linux x64',
      dataFolder: '/home/someone/.local/share/gatehouse',
      keyKeeping: ['session', 'file'],
      keyringReason: 'There is no keyring here.',
      notices: main.notices,
    }),
    describe: async () => [],
    changes: async (_input: undefined, options: { signal?: AbortSignal } = {}) =>
      changes.subscribe(options.signal),
  },
  settings: {
    get: async () => main.settings,
    update: async (input: Partial<Settings>) => {
      main.settings = { ...main.settings, ...input };
      changes.announce('settings');
      return main.settings;
    },
  },
  runs: { list: async () => ({ runs: [], more: false }), active: async () => [] },
  conversations: {
    list: async () => [],
    get: async () => {
      throw new ORPCError('NOT_FOUND');
    },
  },
  tools: { list: async () => [] },
  presets: { list: async () => main.presets },
  models: { suggest: async () => ({ models: [], preselected: null, listProblem: null }) },
  media: { list: async () => ({ media: [], more: false }) },
  connections: {
    list: async () => main.connections,
    create: async (input: ConnectionInput) => {
      check(input);
      const connection: Connection = { ...demo, ...input, id: 'made', kind: 'custom' };
      main.connections = [...main.connections, connection];
      changes.announce('connections', connection.id);
      return connection;
    },
    update: async ({ id, ...input }: ConnectionInput & { id: string }) => change(id, input),
    remove: async ({ id }: { id: string }) => {
      main.connections = main.connections.filter((connection) => connection.id !== id);
      changes.announce('connections', id);
    },
    setKey: async (input: { id: string; key: string; keeping: KeyKeeping }) => {
      main.keys.push(input);
      const protection = input.keeping;
      return change(input.id, { key: { lastFour: input.key.slice(-4), protection } });
    },
    removeKey: async ({ id }: { id: string }) => change(id, { key: null }),
    test: async () => ({
      ok: true,
      summary: 'Connected. The gateway lists 3 models.',
      url: 'http://127.0.0.1:4100/v1/models',
      status: 200,
      modelCount: 3,
      durationMs: 12,
      error: null,
    }),
  },
};

export const orpc = createTanstackQueryUtils(api);
