/** Runs tools' functions, including hostile ones. */
import { afterAll, describe, expect, it } from 'vitest';
import { evaluateScript } from '../../electron/tools/evaluate-script.ts';
import { scriptLimits } from '../../electron/tools/script-runner.ts';
import { createThreads } from '../../electron/tools/threads.ts';
import type { JsonValue } from '../../shared/json.ts';
import { TEST_MS } from '../fixtures/patience.ts';

/** Calls a function on this thread, because starting one would dominate the time of a test. */
function evaluate(code: string, args: JsonValue = {}, changed: Partial<typeof scriptLimits> = {}) {
  const limits = { ...scriptLimits, ...changed };
  const call = { code, args: JSON.stringify(args), now: Date.now(), limits };
  return evaluateScript(call, () => undefined);
}

describe('a hostile function', () => {
  const late = /longer than 0.1 seconds/;
  const memory = /^The function used more than 24 MB of memory.$/;
  const deep = /^The function went too deep/;
  /**
   * All tests share the threads, so a call that kept its slot would leave none for the fifth call.
   */
  const threads = createThreads();
  afterAll(() => threads.close());

  it.each([
    ['a loop in toJSON', '() => ({ toJSON() { for (;;); } })', late],
    ['a loop in an error’s message', '() => { throw { get a() { for (;;); } }; }', late],
    ['a slow pattern', '() => /(a+)+$/.test("a".repeat(40) + "b")', late],
    ['endless lines', '() => { for (;;) console.log("x".repeat(1000)); }', late],
    [
      'recursion without end',
      '() => { for (;;) try { (function f() { f(); })(); } catch {} }',
      late,
    ],
    ['endless small objects', '() => { let a = () => 1; for (;;) a = a.bind(null); }', memory],
    ['a growing text', '() => { let s = "x"; for (;;) s += s; }', /memory|too long/],
    ['a huge text', '() => "x".repeat(2 ** 29)', memory],
    ['a text too long for the engine', '() => "x".repeat(2 ** 30)', /invalid string length/],
    ['a huge list', '() => new Array(1e9).fill(0)', memory],
    ['a huge buffer', '() => new ArrayBuffer(2 ** 30)', memory],
    ['a huge shared buffer', '() => new SharedArrayBuffer(2 ** 30)', memory],
    [
      'jobs that use up memory',
      '() => { const f = () => Promise.resolve().then(f); return f(); }',
      memory,
    ],
    ['deep JSON', '() => JSON.parse("[".repeat(1e6))', deep],
    ['deep code', `${'('.repeat(2e5)}`, deep],
    ['deep code in eval', '() => eval("[".repeat(2e5))', deep],
  ])('stops at the engine’s own limits: %s', async (_, code, message) => {
    const timeMs = message === late ? 100 : TEST_MS;
    const result = await evaluate(code, {}, { timeMs, memoryBytes: 24 * 2 ** 20 });
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });
});

describe('when it is stopped', () => {});
