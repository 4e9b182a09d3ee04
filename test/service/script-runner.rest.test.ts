/** Runs tools' functions, including hostile ones. */
import { describe, expect, it } from 'vitest';
import { evaluate, evaluateToMessage } from '../fixtures/evaluate.ts';
import { TEST_MS } from '../fixtures/patience.ts';

describe('a function', () => {
  it.each([
    ['() => () => 1', 'The result isn’t JSON: it is a function.'],
    ['() => ({ a: [{ run() {} }] })', 'The result isn’t JSON: “run” is a function.'],
    ['() => 1n', 'The result isn’t JSON: it is a BigInt.'],
    ['() => Symbol("a")', 'The result isn’t JSON: it is a symbol.'],
    ['() => new Map()', 'The result isn’t JSON: it is a Map.'],
    [
      '() => ({ a: (async () => 1)() })',
      'The result isn’t JSON: “a” is a promise that isn’t awaited.',
    ],
    ['() => { const a = {}; a.a = [a]; return a }', 'The result isn’t JSON: it contains itself.'],
    [
      '() => { let a = []; for (let i = 0; i < 600; i += 1) a = [a]; return a }',
      'The result is nested too deeply.',
    ],
    ['5', 'The code isn’t a function. Write (args) => { return … }.'],
    ['', 'The code isn’t a function. Write (args) => { return … }.'],
    ['import fs from "node:fs"; () => fs', 'The function can’t import anything.'],
    ['() => { throw "text" }', 'text'],
    ['() => { throw { a: 1 } }', 'The function threw {"a":1}.'],
    ['() => { throw null }', 'The function threw null.'],
    [
      '() => { throw new Proxy({}, { getPrototypeOf() { throw 1 } }) }',
      'The function threw a value that can’t be read.',
    ],
  ])('explains a failure: %s', async (code, message) => {
    expect(await evaluateToMessage(code)).toBe(message);
  });

  it.each([
    ['(args) => {\n  const a = 1;\n  throw new TypeError("Bad");\n}', 'TypeError: Bad', 3],
    ['async () => {\n  await null;\n  throw new Error("Late");\n}', 'Error: Late', 3],
    ['() => {\n  const f = (a) => a.b;\n  return f(null);\n}', 'TypeError: cannot read', 2],
    ['(args) => {\n  return args. \n}', 'SyntaxError: expecting', 3],
    ['(args) => (', 'SyntaxError: unexpected', 1],
    ['function (a) {\n  return a..b;\n}', 'SyntaxError: expecting', 2],
    ['export default (a) => {\n  a..b;\n}', 'SyntaxError: expecting', 2],
    ['const a = 1;\nconst b = (;\n(args) => a', 'SyntaxError: unexpected', 2],
  ])('reports the line of an error in %j', async (code, text, line) => {
    const message = await evaluateToMessage(code);
    expect(message).toContain(text);
    expect(message).toContain(`(line ${line} of the code)`);
  });
});

describe('a hostile function', () => {
  const late = /longer than 0.1 seconds/;
  const memory = /^The function used more than 24 MB of memory.$/;
  const deep = /^The function went too deep/;
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
