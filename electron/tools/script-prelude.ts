/** JavaScript that runs in the engine before the user's code. */

/** The name of the user's code in stack traces. */
export const SCRIPT_FILE = 'tool';

/** Longer texts are truncated before they leave the engine. */
const MAX_MESSAGE_LENGTH = 2000;

/**
 * Evaluates to a function that fixes the date, adds `console`, deletes everything outside
 * ECMAScript, and returns helpers that call the user's function. Its outcome is `{ result }` or
 * `{ error }` as JSON.
 */
export const PRELUDE = `(now, print, maxLineLength, maxResultLength, tooLong) => {
  'use strict';
  const { Error, Map, Number, Object, RegExp, Set, String, TypeError } = globalThis;
  const { Date: RealDate, Promise: RealPromise } = globalThis;
  const { parse, stringify } = JSON;
  const { construct } = Reflect;

  // The only Date that the code can reach knows no other time than that of the call.
  function FixedDate(...parts) {
    if (new.target === undefined) return new RealDate(now).toString();
    return construct(RealDate, parts.length === 0 ? [now] : parts, new.target);
  }
  const hide = (target, name, value) =>
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
  Object.defineProperties(FixedDate, {
    name: { value: 'Date', configurable: true },
    length: { value: 7, configurable: true },
    prototype: { value: RealDate.prototype, writable: false },
  });
  const clock = { now: () => now };
  hide(FixedDate, 'now', clock.now);
  hide(FixedDate, 'parse', RealDate.parse);
  hide(FixedDate, 'UTC', RealDate.UTC);
  hide(RealDate.prototype, 'constructor', FixedDate);
  hide(globalThis, 'Date', FixedDate);
  for (const name of ['performance', 'queueMicrotask', 'DOMException', 'InternalError']) {
    delete globalThis[name];
  }

  const describeFunction = ({ name }) => '[function' + (name ? ' ' + name : '') + ']';

  /** Formats values that JSON can't represent, such as functions and infinity, as strings. */
  function formatJson(value) {
    const parents = [];
    return stringify(value, function (key, item) {
      if (typeof item === 'bigint') return item + 'n';
      if (typeof item === 'function') return describeFunction(item);
      if (typeof item === 'symbol' || item === undefined) return String(item);
      if (typeof item === 'number') return Number.isFinite(item) ? item : String(item);
      if (typeof item !== 'object' || item === null) return item;
      while (parents.length > 0 && parents[parents.length - 1] !== this) parents.pop();
      if (parents.includes(item)) return '[circular]';
      parents.push(item);
      if (item instanceof Error) return String(item);
      const list = item instanceof Map || item instanceof Set ? [...item] : item;
      if (list !== item) parents.push(list);
      return list;
    });
  }

  function format(value) {
    if (typeof value === 'string') return value;
    if (typeof value === 'bigint') return value + 'n';
    if (typeof value === 'function') return describeFunction(value);
    if (typeof value !== 'object' || value === null) return String(value);
    try {
      return value instanceof Error || value instanceof RegExp ? String(value) : formatJson(value);
    } catch {
      return '[object]';
    }
  }

  function log(...values) {
    let line = '';
    for (let at = 0; at < values.length && line.length <= maxLineLength; at += 1) {
      line += (at === 0 ? '' : ' ') + format(values[at]);
    }
    print(line.slice(0, maxLineLength + 1));
  }
  const console = {};
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) {
    const named = { [name]: (...values) => log(...values) };
    hide(console, name, named[name]);
  }
  hide(globalThis, 'console', console);

  class ResultError extends Error {}

  function describeNonJson(value) {
    if (typeof value === 'function') return 'a function';
    if (typeof value === 'symbol') return 'a symbol';
    if (typeof value === 'bigint') return 'a BigInt';
    if (value instanceof Map) return 'a Map';
    if (value instanceof Set) return 'a Set';
    if (value instanceof RealPromise) return 'a promise that isn’t awaited';
    return null;
  }

  function toResult(value) {
    if (value === undefined) return 'null';
    let text;
    try {
      text = stringify(value, (key, item) => {
        const kind = describeNonJson(item);
        if (kind === null) return item;
        const place = key === '' ? 'it' : '“' + key.slice(0, 100) + '”';
        throw new ResultError('The result isn’t JSON: ' + place + ' is ' + kind + '.');
      });
    } catch (cause) {
      if (!(cause instanceof TypeError) || cause.message !== 'circular reference') throw cause;
      throw new ResultError('The result isn’t JSON: it contains itself.');
    }
    if (text === undefined) return 'null';
    if (text.length > maxResultLength) throw new ResultError(tooLong);
    return text;
  }

  const cut = (text) => text.slice(0, ${MAX_MESSAGE_LENGTH});

  const formatThrown = (value) => (typeof value === 'string' ? '“”' : format(value));

  function describe(cause) {
    try {
      if (cause instanceof ResultError) return { message: cause.message };
      if (!(cause instanceof Error)) {
        const isText = typeof cause === 'string' && cause.trim() !== '';
        return { message: cut(isText ? cause : 'The function threw ' + formatThrown(cause) + '.') };
      }
      const [, line = 0, column = 0] = /${SCRIPT_FILE}:(\\d+):(\\d+)/.exec(cause.stack) ?? [];
      return { message: cut(String(cause)), line: Number(line), column: Number(column) };
    } catch {
      return { message: 'The function threw a value that can’t be read.' };
    }
  }
  return {
    describe: (cause) => stringify(describe(cause)),
    call: async (run, args) => {
      try {
        return '{"result":' + toResult(await run(parse(args))) + '}';
      } catch (cause) {
        return stringify({ error: describe(cause) });
      }
    },
  };
}`;
