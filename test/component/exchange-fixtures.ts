/** Records the exchanges of a video task. */
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import type { AppError } from '../../shared/errors.ts';
import type { RunEvent, RunEventBody, RunStatus } from '../../shared/run.ts';
import type { RunView } from '../../shared/run-view.ts';
import { runView } from '../fixtures/run-view.ts';
import { main, timings } from './inspector-fake-main.ts';

export const submitted = 'http://g.example/v1/video/generations';

export const polled = `${submitted}/t-1`;

export function makeRequest(exchange: number, method: string, url: string): RunEventBody {
  const body = method === 'POST' ? '{"prompt":"A boat"}' : null;
  return { kind: 'request', exchange, method, url, headers: [['x-number', `${exchange}`]], body };
}

export function makeAnswer(exchange: number, status = 200): RunEventBody[] {
  return [
    { kind: 'response', exchange, status, headers: [['x-answer', `to ${exchange}`]] },
    {
      kind: 'exchange-end',
      exchange,
      status: status < 400 ? 'succeeded' : 'failed',
      error: null,
      timings: { ...timings, startedAtMs: 1000 * exchange, endAtMs: 1000 * exchange + 7 },
    },
  ];
}

function makeTask(exchange: number, word: string): RunEventBody[] {
  const reply = { status: word, poll: exchange };
  return [
    { kind: 'body', exchange, text: JSON.stringify(reply), truncated: false },
    { kind: 'task', exchange, taskId: 't-1', status: 'unknown', word, reply },
  ];
}

export const makePoll = (exchange: number, word: string): RunEventBody[] => [
  makeRequest(exchange, 'GET', polled),
  ...makeAnswer(exchange),
  ...makeTask(exchange, word),
];

export const submit = [
  makeRequest(0, 'POST', submitted),
  ...makeAnswer(0),
  ...makeTask(0, 'queued'),
];

export const polls = [1, 2, 3].flatMap((number) => makePoll(number, 'in_progress'));

export function recordTask(
  bodies: RunEventBody[],
  more: { status?: RunStatus; error?: AppError } = {},
): RunView {
  const events = bodies.map(
    (body, index): RunEvent => ({ ...body, seq: index + 1, atMs: 1000 * body.exchange }),
  );
  const seen = runView('video', { ...more, seq: events.length });
  main.events = events;
  main.runs = [seen];
  main.views = { [seen.id]: seen };
  return seen;
}
