/** The events of a streamed completion, for the inspector. */
import type { RunEvent } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { runView } from '../fixtures/run-view.ts';
import { main, timings } from './inspector-fake-main.ts';

export function chunk(seq: number, atMs: number, data: string): RunEvent {
  return { kind: 'chunk', seq, atMs, exchange: 0, data, event: null, comment: false };
}

export function seed(view: RunView, events: RunEvent[]) {
  main.views = { [view.id]: view };
  const older = { id: 'run-0', createdAt: view.createdAt - 1000 };
  main.runs = [view, runView('completion', { ...older, status: 'failed', model: 'demo-echo' })];
  main.events = events;
}

export const request = {
  kind: 'request',
  seq: 1,
  atMs: 0,
  exchange: 0,
  method: 'POST',
  url: 'http://127.0.0.1:1/v1/completions',
  headers: [
    ['content-type', 'application/json'],
    ['authorization', 'Bearer ••••1234'],
  ],
  body: '{"model":"demo-story","prompt":"it\'s"}',
} satisfies RunEvent;

export const response = {
  kind: 'response',
  seq: 2,
  atMs: 105,
  exchange: 0,
  status: 200,
  headers: [['content-type', 'text/event-stream']],
} satisfies RunEvent;

export const streamed = runView('completion', {
  status: 'succeeded',
  finishedAt: Date.now(),
  seq: 6,
  timings,
  state: {
    id: 'cmpl-7',
    created: 1_700_000_000,
    model: 'demo-story',
    done: true,
    warnings: ['The stream repeated the role.'],
    choices: [{ index: 0, text: 'Hello there', other: {}, finishReason: 'stop' }],
  },
});
