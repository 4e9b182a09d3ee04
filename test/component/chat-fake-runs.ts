/** Fakes the runs of Chat, which the test advances. */
import type { RunUpdate } from '../../shared/contract/runs.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { RunSummary } from '../../shared/run.ts';
import {
  changed,
  comparisons,
  conversations,
  makeRun,
  requests,
  runs,
  toRunView,
} from './chat-fake-state.ts';
import type { StandIn } from './stand-in.ts';

/** Runs outside conversations. */
export const listedRuns: RunSummary[] = [];
export const cancelled: string[] = [];

/** Updates the state and fields of the run's view, as its events would. */
export function moveRun(
  runId: string,
  state: Partial<ChatState>,
  fields: Partial<RunSummary> = {},
): void {
  const run = runs.get(runId) ?? { view: toRunView(makeRun({ id: runId })), wake: [] };
  runs.set(runId, run);
  run.view = {
    ...run.view,
    ...fields,
    operation: 'chat',
    seq: run.view.seq + 1,
    state: { ...run.view.state, ...state },
  };
  for (const wake of run.wake.splice(0)) wake();
  for (const each of comparisons.values()) {
    const cell = each.cells.find((one) => one.run?.id === runId);
    if (cell === undefined) continue;
    cell.run = { ...cell.run, ...makeRun({ ...cell.run, ...fields, id: runId }) };
    for (const wake of each.wake.splice(0)) wake();
  }
}

/** Ends the run, and stores its output in the first answer. */
export function settleAnswer(runId: string, fields: Partial<TreeMessage>): void {
  moveRun(runId, {}, { status: 'succeeded' });
  for (const [id, conversation] of conversations) {
    const messages = conversation.messages.map((message) =>
      message.run?.id === runId
        ? { ...message, ...fields, run: makeRun({ ...message.run, status: 'succeeded' }) }
        : message,
    );
    conversations.set(id, { ...conversation, messages });
    changed(id);
  }
}

async function* watchRun(id: string, signal?: AbortSignal): AsyncGenerator<RunUpdate> {
  let seq = -1;
  while (signal?.aborted !== true) {
    const run = runs.get(id);
    if (run === undefined) throw new Error(`No run ${id}`);
    if (run.view.seq !== seq) {
      yield { type: 'snapshot', seq: run.view.seq, view: run.view, quietMs: 0 };
    }
    seq = run.view.seq;
    if (!['queued', 'running'].includes(run.view.status)) return;
    await new Promise<void>((resolve) => run.wake.push(resolve));
  }
}

export const runProcedures = {
  list: async () => {
    const shown = [...conversations.values()].flatMap(({ messages }) => messages);
    const answered = [...listedRuns, ...shown.flatMap(({ run }) => run ?? [])];
    return { runs: answered.reverse(), comparisons: [], more: false };
  },
  events: async () => ({ events: [], more: false }),
  exchanges: async () => ({ exchanges: [], next: null }),
  activeCounts: async () => ({}),
  get: async ({ id }: { id: string }) => ({
    view: runs.get(id)?.view ?? toRunView(makeRun({ id })),
    request: requests.get(id) ?? {},
    extraBody: {},
    wireNames: {},
    follow: null,
    baseUrl: '',
  }),
  cancel: async ({ id }: { id: string }) => {
    cancelled.push(id);
    moveRun(id, {}, { status: 'cancelled' });
  },
  watch: async ({ id }: { id: string }, { signal }: { signal?: AbortSignal | undefined } = {}) =>
    watchRun(id, signal),
} satisfies StandIn['runs'];
