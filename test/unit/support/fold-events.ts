/** Makes run events and folds them over frozen states, so that a mutation throws. */
import type { JsonValue } from '../../../shared/json.ts';
import type { Operation } from '../../../shared/operations/operation.ts';
import type { RunEvent, RunEventBody } from '../../../shared/run.ts';
import { makeTimings } from '../../fixtures/timings.ts';

/** Writes `data` as JSON unless it is a string. */
export function chunk(data: unknown, event: string | null = null): RunEventBody {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return { kind: 'chunk', exchange: 0, data: text, event, comment: false };
}

export function comment(data: string): RunEventBody {
  return { kind: 'chunk', exchange: 0, data, event: null, comment: true };
}

export function body(reply: unknown, truncated = false): RunEventBody {
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return { kind: 'body', exchange: 0, text, truncated };
}

const finalTimings = {
  firstDeltaAtMs: 3,
  endAtMs: 4,
  deltaCount: 1,
  sentBytes: 1,
  receivedBytes: 1,
};
export const finish: RunEventBody = {
  kind: 'finish',
  exchange: 0,
  timings: makeTimings(finalTimings),
};

export function foldAll<State>(
  spec: Pick<Operation<never, State>, 'fold' | 'initialState'>,
  bodies: readonly RunEventBody[],
): State {
  return bodies.reduce(
    (state, event, at) => freeze(spec.fold(state, numbered(event, at + 1))),
    freeze(spec.initialState),
  );
}

export function numbered(event: RunEventBody, seq: number): RunEvent {
  return { ...event, seq, atMs: seq };
}

export function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}

/** Splits `text` into at most `most` pieces, even within surrogate pairs and escapes. */
export function splitAnyhow(text: string, random: () => number, most: number): string[] {
  const cuts = Array.from({ length: most - 1 }, () => Math.floor(random() * (text.length + 1)));
  const bounds = [0, ...cuts.toSorted((a, b) => a - b), text.length];
  return bounds.slice(1).map((end, at) => text.slice(bounds[at], end));
}

/** Generates arbitrary JSON that often contains field names of real responses. */
export function randomReply(random: () => number, depth = 5): JsonValue {
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(random() * items.length)];
  const several = () => Array.from({ length: Math.floor(random() * 4) });
  if (depth === 0 || random() < 0.3) {
    return pick(['', 'text', '{"a":', 0, -1, 1.5, 1e21, true, false, null]) ?? null;
  }
  if (random() < 0.3) return several().map(() => randomReply(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => [
      pick(REPLY_KEYS) ?? 'id',
      randomReply(random, depth - 1),
    ]),
  );
}

export const REPLY_KEYS = [
  'id model created object choices index delta message text role content reasoning',
  'reasoning_content thinking type refusal tool_calls function name arguments finish_reason',
  'usage prompt_tokens completion_tokens_details error system_fingerprint __proto__',
  'constructor length',
].flatMap((names) => names.split(' '));
