/** Fakes the checks of the main process, and renders the Check panel. */
import { expect, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import type { z } from 'zod';
import { useShortcutKeys } from '../../renderer/app/shell-commands.ts';
import { CheckPanel } from '../../renderer/features/check/check-panel.tsx';
import { useCheckStore } from '../../renderer/features/check/check-store.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { useShownCheck } from '../../renderer/run/check/listed-check.ts';
import {
  type Check,
  type CheckInput,
  type CheckProgress,
  checkInputSchema,
  type LoadBody,
  type ProbeBody,
  type RowVerdict,
  type StageFigures,
} from '../../shared/checks/check.ts';
import type { CheckUpdate } from '../../shared/contract/checks.ts';
import { appError } from '../../shared/errors.ts';
import { modelSuggestion } from '../fixtures/model-suggestion.ts';
import { answerCalls } from './page-api.ts';
import { api, main, refusal } from './panel-fake-main.ts';
import { PanelPage, resetPanels } from './panel-fixtures.tsx';
import type { StandIn } from './stand-in.ts';

export const estimate = {
  requests: 84,
  inputTokens: 12_400,
  outputTokens: 5000,
  dollars: 0.021,
  isLeast: false,
};
const asked = [
  { id: 'seed', group: 'Sampling', label: 'Seed twice', requests: 3 },
  { id: 'stop', group: 'Length', label: 'Stop sequence', requests: 1 },
];

const done: CheckProgress = {
  state: 'done',
  requests: 84,
  running: 0,
  ended: 84,
  failed: 0,
  dollars: null,
};

/** Checks, newest first, with their progress; `started` are the inputs of Start. */
export const checks = {
  stored: [] as { check: Check; progress: CheckProgress }[],
  started: [] as CheckInput[],
};
const watchers = new Map<string, (update: CheckUpdate) => void>();

/** Stores a check, or replaces it, and tells the page that watches it. */
export function store(check: Check, progress: Partial<CheckProgress> = {}): void {
  const entry = { check, progress: { ...done, ...progress } };
  checks.stored = [entry, ...checks.stored.filter((each) => each.check.id !== check.id)].sort(
    (one, other) => other.check.createdAt - one.check.createdAt,
  );
  watchers.get(check.id)?.({ ...entry, heldBy: null });
}

function find(id: string) {
  const found = checks.stored.find(({ check }) => check.id === id);
  if (found === undefined) throw refusal(appError('not-found', 'It does not exist.', ''));
  return found;
}

export const fakeChecks = {
  plan: vi.fn(async (_input: z.input<typeof checkInputSchema>) => ({ asked, estimate })),
  start: async (sent: { input: z.input<typeof checkInputSchema> }) => {
    const input = checkInputSchema.parse(sent.input);
    checks.started.push(input);
    const check =
      input.kind === 'probe'
        ? probe('started', { models: input.models })
        : load('started', { models: input.models, target: input.target });
    store(check, { state: 'running', ended: 0 });
    return { id: 'started' };
  },
  list: async () =>
    checks.stored.map(({ check: { body, ...check }, progress }) => ({
      ...check,
      ...body,
      operations: body.kind === 'probe' ? body.operations : [body.operation],
      ...progress,
    })),
  get: async ({ id }: { id: string }) => find(id).check,
  watch: async ({ id }: { id: string }) => {
    find(id);
    return (async function* (): AsyncGenerator<CheckUpdate, void> {
      while (true) {
        const next = new Promise<CheckUpdate>((resolve) => watchers.set(id, resolve));
        yield { ...find(id), heldBy: null };
        await next;
      }
    })();
  },
  stop: vi.fn(async (_input: { id: string }): Promise<void> => undefined),
  resume: vi.fn(async (_input: { id: string }): Promise<void> => undefined),
  remove: async ({ id }: { id: string }) => {
    checks.stored = checks.stored.filter(({ check }) => check.id !== id);
    return { deletionId: `deletion of ${id}` };
  },
  hints: async () => [],
};

export function probe(id: string, body: Partial<ProbeBody> = {}): Check {
  return {
    id,
    title: (body.models ?? ['one', 'two']).join(', '),
    createdAt: Date.UTC(2026, 0, 2),
    body: {
      kind: 'probe',
      stopped: null,
      connectionId: 'demo',
      connectionName: 'Demo',
      models: ['one', 'two'],
      comparisonIds: [],
      asked,
      estimate,
      formats: [''],
      operations: ['chat'],
      rulesVersion: 1,
      verdicts: [],
      ...body,
    },
  };
}

export function verdict(rowId: string, model: string, some: Partial<RowVerdict> = {}): RowVerdict {
  return {
    model,
    format: '',
    rowId,
    verdict: 'honored',
    sentence: `${model} did as asked.`,
    chance: null,
    evidence: null,
    atMs: Date.UTC(2026, 0, 2),
    ...some,
  };
}

export function load(id: string, body: Partial<LoadBody> = {}): Check {
  return {
    ...probe(id, { models: body.models ?? ['one'] }),
    body: {
      kind: 'load',
      connectionId: 'demo',
      connectionName: 'Demo',
      models: ['one'],
      comparisonIds: [],
      estimate,
      operation: 'chat',
      stages: [1, 2, 4].map((atOnce) => ({ atOnce, requests: 20 })),
      warmup: 1,
      limits: { requests: null, seconds: null, cost: null, errorShare: null },
      target: { figure: 'firstTokenMs', percentile: 95, ms: 2000 },
      sent: { first: { messages: [{ role: 'user', content: 'Describe a harbor.' }] }, count: 3 },
      stopped: null,
      results: [],
      ...body,
    },
  };
}

/** Makes the metrics of a stage whose first tokens took `firstTokenMs`. */
export function stage(atOnce: number, firstTokenMs: number): StageFigures {
  const times = {
    count: 20,
    p50: firstTokenMs,
    p90: firstTokenMs + 100,
    p95: firstTokenMs + 200,
    p99: null,
    max: firstTokenMs + 300,
  };
  return {
    atOnce,
    warmupRequests: atOnce,
    requests: 20,
    failed: 1,
    errors: { 'rate-limited': 1 },
    errorShare: 0.05,
    seconds: 10,
    requestsPerSecond: 2,
    tokensPerSecond: 128,
    firstTokenMs: times,
    betweenTokensMs: null,
    totalMs: times,
    requestTokensPerSecond: null,
    meetsTarget: firstTokenMs + 200 <= 2000,
    clientDelayMs: { ...times, p50: 3, max: 12 },
  };
}

export function resetChecks(): void {
  resetPanels();
  useLinkState.setState('open', true);
  Object.assign(checks, { stored: [], started: [] });
  watchers.clear();
  fakeChecks.plan.mockReset().mockResolvedValue({ asked, estimate });
  fakeChecks.stop.mockClear();
  fakeChecks.resume.mockClear();
  useCheckStore.setState(useCheckStore.getInitialState());
  useShownCheck.setState(useShownCheck.getInitialState());
  main.models = {
    models: ['one', 'two'].map((name) => modelSuggestion(name)),
    preselected: 'one',
    listProblem: null,
  };
  answerCalls({ ...api, checks: fakeChecks } satisfies StandIn);
}

function PanelWithKeys({ width }: { width: number }) {
  useShortcutKeys();
  return (
    <PanelPage width={width}>
      <CheckPanel />
    </PanelPage>
  );
}

export async function openCheck({ width = 1308 } = {}) {
  const screen = await render(<PanelWithKeys width={width} />);
  await expect.element(screen.getByRole('combobox', { name: 'Connection' })).toBeEnabled();
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  return { screen, button, result: screen.getByRole('region', { name: 'Result' }) };
}
