/** Runs tools' functions, including hostile ones. */
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createScriptRunner, scriptLimits } from '../../electron/tools/script-runner.ts';
import { createThreads, type Threads } from '../../electron/tools/threads.ts';
import type { JsonValue } from '../../shared/json.ts';
import { evaluate, evaluateToMessage, evaluateToResult } from '../fixtures/evaluate.ts';
import { TEST_MS } from '../fixtures/patience.ts';

function start(limits: Partial<typeof scriptLimits> = {}, threads = createThreads()) {
  onTestFinished(() => threads.close());
  const runner = createScriptRunner(threads, { ...scriptLimits, ...limits });
  const { signal } = new AbortController();
  return (code: string, args: JsonValue = {}) => runner.run({ code, args, signal });
}

/** Lets the time of a call elapse once it has printed `lineCount` lines. */
function elapseAfter(lineCount: number): Threads {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const threads = createThreads();
  let left = lineCount;
  return {
    ...threads,
    run: (job, isAnswer) =>
      threads.run(
        {
          ...job,
          onMessage(message) {
            job.onMessage?.(message);
            left -= 1;
            if (left === 0) vi.advanceTimersByTime(job.timeMs);
          },
        },
        isAnswer,
      ),
  };
}

describe('a function', () => {
  it.each([
    ['an arrow function', '({ a }) => a + 1'],
    ['an async function', 'async (args) => { await null; return args.a + 1 };'],
    ['a named function', 'function add({ a }) { return a + 1 }'],
    ['a program with run', 'function run({ a }) { return a + one }\nconst one = 1;'],
    ['a program with a constant run', 'const run = ({ a }) => a + 1;'],
    ['a program that ends with a function', '// Adds.\nconst one = 1;\n(args) => args.a + one;'],
    ['a module’s default export', 'const one = 1;\nexport default ({ a }) => a + one;'],
    ['a module’s run', 'export const run = ({ a }) => a + 1;'],
    ['a promise chain', '({ a }) => Promise.resolve(a).then((n) => n + 1)'],
  ])('runs %s', async (_, code) => {
    expect(await evaluate(code, { a: 1 })).toEqual({ ok: true, result: 2 });
  });

  it.each<[string, JsonValue]>([
    ['() => {}', null],
    ['() => new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['() => ({ a: undefined, b: [undefined, NaN] })', { b: [null, null] }],
    ['(args) => args', { größe: ['“', '\u2028', 1e21, -0.5, null] }],
  ])('returns what %s returns as JSON', async (code, result) => {
    expect(await evaluateToResult(code, result)).toEqual(result);
  });

  it('returns its output, even if it fails or hangs', async () => {
    const code = `() => {
      console.log('a', { b: [1n, undefined, () => 1, new Set([1])] }, new Error('Bad'), null);
      const loop = {};
      loop.loop = loop;
      console.warn(loop, Symbol('s'));
      return [].indexOf.call({ length: 2 ** 53 - 1 }, 1);
    }`;
    expect(await start({ timeMs: TEST_MS }, elapseAfter(2))(code)).toEqual({
      ok: false,
      message: 'The function ran longer than 600 seconds.',
      console: [
        'a {"b":["1n","undefined","[function]",[1]]} Error: Bad null',
        '{"loop":"[circular]"} Symbol(s)',
      ],
    });
  });

  it('returns up to 200 lines of 64 KiB, and reports that there were more', async () => {
    const many = await start()('() => { for (let i = 0; i < 500; i += 1) console.info(i) }');
    expect(many.console).toHaveLength(scriptLimits.consoleLines + 1);
    expect(many.console.slice(-2)).toEqual(['199', '… more lines were left out']);
    const long = await start()('() => { console.log("x".repeat(1e6)); console.log("y") }');
    expect(long.console.map((line) => line.length)).toEqual([64 * 1024 + 1, 26]);
  });

  it('sees only the time of the call', async () => {
    const code = `() => {
      class Day extends Date {}
      const start = Date.now();
      for (let i = 0; i < 1e6; i += 1);
      const times = [new Date(), new Day(), new Date(0).constructor.now(), new Day(5)];
      return [start, ...times.map((time) => time - start), typeof Date(), Date.length];
    }`;
    const before = Date.now();
    const result = await evaluateToResult(code);
    expect(result).toEqual([expect.any(Number), 0, 0, 0, expect.any(Number), 'string', 7]);
    const [start] = Array.isArray(result) ? result : [];
    expect(start).toBeGreaterThanOrEqual(before);
    expect(start).toBeLessThanOrEqual(Date.now());
    const zone = await evaluateToResult('() => new Date(2026, 0, 1).getTimezoneOffset()');
    expect(zone).toBe(new Date(2026, 0, 1).getTimezoneOffset());
  });

  it('runs concurrently with others', async () => {
    const run = start();
    const stuck = run('() => { for (;;); }');
    expect(await Promise.race([stuck, run('() => 1')])).toMatchObject({ ok: true, result: 1 });
  });
});

/** The ECMAScript 2026 globals, annex B included, that the engine supports. */
const LANGUAGE =
  'AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error ' +
  'EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array ' +
  'Int32Array Int8Array Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ' +
  'ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError ' +
  'Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI ' +
  'decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat ' +
  'parseInt undefined unescape';

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
    ['an endless loop that catches errors', '() => { for (;;) try { for (;;); } catch {} }', late],
    ['an endless chain of jobs', 'async () => { for (;;) await null; }', late],
    ['endless allocation', '() => { const a = []; for (;;) a.push(new Array(1000)); }', memory],
    ['deep recursion', '() => { const f = () => f() + 1; return f(); }', deep],
    ['a promise that never settles', '() => new Promise(() => {})', /never settles/],
    ['a long result', '() => "x".repeat(2 ** 20)', /longer than 1,048,576 characters/],
  ])('fails with an error: %s', async (_, code, message) => {
    const timeMs = message === late ? 100 : TEST_MS;
    const limits = { ...scriptLimits, timeMs, memoryBytes: 24 * 2 ** 20 };
    const { signal } = new AbortController();
    let [isOver, turns] = [false, 0];
    const countTurn = () => {
      turns += 1;
      if (!isOver) setImmediate(countTurn);
    };
    countTurn();
    const memoryBefore = process.memoryUsage().rss;
    const result = await createScriptRunner(threads, limits).run({ code, args: {}, signal });
    const grown = process.memoryUsage().rss - memoryBefore;
    isOver = true;
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    // Only the thread is busy, so this process keeps handling events.
    if (message === late) expect(turns).toBeGreaterThan(10);
    expect(grown).toBeLessThan(200 * 2 ** 20);
  });

  it('frees its threads for other functions', async () => {
    expect(await start({}, threads)('() => 1')).toMatchObject({ ok: true, result: 1 });
  });

  it('can access only the language and a console', async () => {
    const names = await evaluateToResult('() => Object.getOwnPropertyNames(globalThis).sort()');
    expect(names).toEqual([...LANGUAGE.split(' '), 'console'].sort());
  });

  it.each([
    ['() => (() => {}).constructor("return globalThis")()'],
    ['() => console.log.constructor("return globalThis")()'],
    ['() => Date.constructor("return this")()'],
    ['() => new Function("return this")()'],
    ['() => (0, eval)("this")'],
    ['async () => (async () => {}).constructor("return this")()'],
    ['() => Reflect.construct(Function, ["return this"])()'],
    [
      '() => { try { null.x } catch (error) { return error.constructor.constructor("return this")() } }',
    ],
    ['() => console.log.call.constructor.constructor("return this")()'],
    ['() => (function () { return this })()'],
  ])('finds only the same global object: %s', async (getGlobal) => {
    const code = `async () => {
      const found = await (${getGlobal})();
      const outside = ['process', 'require', 'module', 'fetch', 'setTimeout', 'performance', 'Worker',
        'WebAssembly', 'XMLHttpRequest', 'WebSocket', 'navigator', 'std', 'os', 'print', 'Bun', 'Deno'];
      return [found === globalThis, outside.filter((name) => name in found)];
    }`;
    expect(await evaluateToResult(code)).toEqual([true, []]);
  });

  it.each([
    ['async () => { await import("node:fs"); }'],
    ['async () => { await import("data:text/javascript,export default 1"); }'],
    ['async () => { await import("./evaluate-script.ts"); }'],
    ['async () => (0, eval)("import(\'node:child_process\')")'],
    ['export { readFileSync } from "node:fs";'],
  ])('can’t import: %s', async (code) => {
    expect(await evaluateToMessage(code)).toBe('The function can’t import anything.');
  });

  it('can’t affect the next call or how its result is read', async () => {
    const run = start();
    const changed = await run(`() => {
      Array.prototype.map = Object.prototype.left = Function.prototype.call = null;
      for (const name of Object.getOwnPropertyNames(globalThis)) {
        if (name !== 'globalThis') try { globalThis[name] = null } catch {}
      }
      return { a: 1 };
    }`);
    expect(changed).toMatchObject({ ok: true, result: { a: 1 } });
    const next = await run(
      '() => [typeof left, ({}).left ?? null, [1].map((n) => n), typeof JSON]',
    );
    expect(next).toMatchObject({ result: ['undefined', null, [1], 'object'] });
  });

  it('can’t set a prototype through its result', async () => {
    const result = await evaluateToResult('() => JSON.parse(\'{"__proto__":{"admin":true}}\')');
    expect(Object.hasOwn(Object(result), '__proto__')).toBe(true);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('when it is stopped', () => {
  function startStuck(count: number) {
    const threads = createThreads();
    onTestFinished(() => threads.close());
    const runner = createScriptRunner(threads);
    const code = '() => { for (;;); }';
    const calls = Array.from({ length: count }, () => {
      const stop = new AbortController();
      return { stop, result: runner.run({ code, args: {}, signal: stop.signal }) };
    });
    return { threads, calls };
  }
  const stopped = { ok: false, message: 'Stopped.' };

  it('ends at once', async () => {
    const { calls } = startStuck(6);
    for (const { stop } of calls) stop.abort();
    for (const { result } of calls) expect(await result).toMatchObject(stopped);
  });

  it('ends at once while waiting for a free thread', async () => {
    const { calls } = startStuck(6);
    const last = calls.at(-1);
    last?.stop.abort();
    const first = await Promise.race(calls.map(({ result }, index) => result.then(() => index)));
    expect(first).toBe(5);
    expect(await last?.result).toMatchObject(stopped);
  });

  it('ends every call when the app closes', async () => {
    const { threads, calls } = startStuck(6);
    await threads.close();
    for (const { result } of calls) expect(await result).toMatchObject({ ok: false });
  });
});
