/** Functions of users' tools, including hostile ones. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScriptRunner, scriptLimits } from '../../electron/tools/script-runner.ts';
import { createThreads } from '../../electron/tools/threads.ts';
import type { JsonValue } from '../../shared/json.ts';

function start(limits: Partial<typeof scriptLimits> = {}) {
  const threads = createThreads();
  onTestFinished(() => threads.close());
  const runner = createScriptRunner(threads, { ...scriptLimits, ...limits });
  const { signal } = new AbortController();
  return (code: string, args: JsonValue = {}) => runner.run({ code, args, signal });
}

describe('a function', () => {
  it.each([
    ['an arrow function', '({ a }) => a + 1'],
    ['an async function', 'async (args) => { await null; return args.a + 1 }'],
    ['a named function', 'function add({ a }) { return a + 1 }'],
    ['a program with run', 'const one = 1;\nfunction run({ a }) { return a + one }'],
    ['a program that ends with a function', '// Adds.\nconst one = 1;\n(args) => args.a + one;'],
    ['a promise chain', '({ a }) => Promise.resolve(a).then((n) => n + 1)'],
  ])('can be %s', async (_, code) => {
    expect(await start()(code, { a: 1 })).toEqual({ ok: true, result: 2, console: [] });
  });

  it('returns null for undefined, and says why other values aren’t JSON', async () => {
    const run = start();
    expect(await run('() => {}')).toMatchObject({ ok: true, result: null });
    expect(await run('() => () => 1')).toMatchObject({
      message: expect.stringMatching(/function/),
    });
    expect(await run('() => 1n')).toMatchObject({ message: expect.stringMatching(/bigint/i) });
    expect(await run('() => { const a = {}; a.a = a; return a }')).toMatchObject({
      message: expect.stringMatching(/circular/i),
    });
    expect(await run('5')).toMatchObject({ message: expect.stringMatching(/isn’t a function/) });
  });

  it('names the line of an error', async () => {
    const result = await start()('(args) => {\n  const a = 1;\n  throw new TypeError("Bad");\n}');
    expect(result).toMatchObject({ ok: false });
    expect(result.ok || result.message).toMatch(/^TypeError: Bad \(near line 3\)$/);
    const thrown = await start()('() => { throw "text" }');
    expect(thrown).toMatchObject({ message: 'text' });
  });

  it('returns what it prints, up to a limit', async () => {
    const code =
      '() => { console.log("a", { b: 1 }); for (let i = 0; i < 500; i += 1) console.info(i) }';
    const { console } = await start()(code);
    expect(console).toHaveLength(scriptLimits.consoleLines + 1);
    expect(console[0]).toBe('a {"b":1}');
    expect(console.at(-1)).toBe('… and 301 more');
  });

  it('sees the date of the call and no other clock', async () => {
    const code = `() => {
      const start = Date.now();
      for (let i = 0; i < 1e6; i += 1);
      return [start, new Date().getTime(), new Date(0).getTime(), Date.now() - start];
    }`;
    const result = await start()(code);
    expect(result).toMatchObject({
      ok: true,
      result: [expect.closeTo(Date.now(), -5), expect.any(Number), 0, 0],
    });
  });
});

describe('a hostile function', () => {
  const memoryBytes = 16 * 1024 * 1024;

  it.each([
    ['an endless loop', '() => { for (;;); }', /longer than 0.3 s/],
    ['an endless chain of jobs', 'async () => { for (;;) await null; }', /longer than 0.3 s/],
    ['a loop in toJSON', '() => ({ toJSON() { for (;;); } })', /longer than 0.3 s/],
    ['a slow pattern', '() => /(a+)+$/.test("a".repeat(40) + "b")', /longer than 0.3 s|memory/],
    ['endless allocation', '() => { const a = []; for (;;) a.push(new Array(1000)); }', /memory/],
    ['a huge text', '() => "x".repeat(2 ** 29)', /memory|length/i],
    ['a huge buffer', '() => new ArrayBuffer(2 ** 30)', /memory|length|size/i],
    ['deep recursion', '() => { const f = () => f() + 1; return f(); }', /stack/],
    ['a promise that never settles', '() => new Promise(() => {})', /never settles/],
    ['a long result', '() => "x".repeat(2 ** 21)', /longer than 1,048,576/],
  ])('ends as an error: %s', async (_, code, message) => {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const timeMs = String(message).includes('longer than 0') ? 300 : scriptLimits.timeMs;
    const result = await start({ timeMs, memoryBytes })(code);
    delay.disable();
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    // The thread is busy, not this process.
    expect(delay.max / 1e6).toBeLessThan(2000);
  });

  it('reaches nothing outside of the language', async () => {
    const result = await start()('() => Object.getOwnPropertyNames(globalThis)');
    expect(result).toMatchObject({ ok: true });
    const outside = ['process', 'require', 'fetch', 'XMLHttpRequest', 'WebSocket', 'Worker'];
    const more = ['setTimeout', 'performance', 'Deno', 'Bun', 'navigator', 'std', 'os', 'print'];
    for (const name of [...outside, ...more]) {
      expect(result.ok && result.result).not.toContain(name);
    }
    for (const code of [
      '() => (() => {}).constructor("return typeof process + typeof require + typeof fetch")()',
      '() => console.log.constructor("return typeof process + typeof require + typeof fetch")()',
      '() => new Function("return typeof process + typeof require + typeof fetch")()',
    ]) {
      expect(await start()(code)).toMatchObject({ result: 'undefinedundefinedundefined' });
    }
    expect(await start()('async () => { await import("node:fs"); }')).toMatchObject({ ok: false });
  });

  it('can’t change the next call', async () => {
    const run = start();
    await run('() => { Array.prototype.map = null; JSON.stringify = null; globalThis.left = 1; }');
    expect(await run('() => [typeof left, [1].map((n) => n)]')).toMatchObject({
      result: ['undefined', [1]],
    });
  });
});

it('ends at once when it is stopped, also while it waits for a free thread', async () => {
  const threads = createThreads();
  onTestFinished(() => threads.close());
  const runner = createScriptRunner(threads);
  const stop = new AbortController();
  const call = { code: '() => { for (;;); }', args: {}, signal: stop.signal };
  const results = Array.from({ length: 6 }, () => runner.run(call));
  stop.abort();
  for (const result of await Promise.all(results)) {
    expect(result).toMatchObject({ ok: false, message: 'Stopped.' });
  }
});
