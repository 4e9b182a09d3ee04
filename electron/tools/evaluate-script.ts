/** Calls a user's JavaScript function in QuickJS, which has no access to anything outside. */
import { existsSync, readFileSync } from 'node:fs';
import variant from '@jitl/quickjs-ng-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';

export interface ScriptLimits {
  timeMs: number;
  memoryBytes: number;
  /** Characters of the result's JSON. */
  resultLength: number;
  consoleLines: number;
  /** Characters of all console lines. */
  consoleLength: number;
}

export interface ScriptCall {
  code: string;
  /** JSON. */
  args: string;
  /** Unix time in milliseconds, the only time that the function sees. */
  now: number;
  limits: ScriptLimits;
}

export type Evaluated =
  | { ok: true /** JSON. */; result: string; console: string[] }
  | { ok: false; message: string; console: string[] };

const FILE = 'tool.js';
const STACK_BYTES = 256 * 1024;

/** Runs before the user's code, which can't change what it uses later. */
const PRELUDE = `(print, now) => {
  const { stringify, parse } = JSON;
  const RealDate = Date;
  const getNow = () => now;
  RealDate.now = getNow;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length > 0 ? args : [now], self),
    apply: () => new RealDate(now).toString(),
  });
  RealDate.prototype.constructor = Date;
  delete globalThis.performance;
  const format = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value);
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const log = (...values) => print(values.map(format).join(' '));
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  return { parse, toText: (value) => (value === undefined ? 'null' : stringify(value)) };
}`;

/** The time of the call never ends the process: a stuck thread is ended by its starter. */
export async function evaluateScript(call: ScriptCall): Promise<Evaluated> {
  const { limits } = call;
  const engine = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmBinary: toArrayBuffer(readFileSync(moduleUrl())) }),
  );
  const runtime = engine.newRuntime({
    memoryLimitBytes: limits.memoryBytes,
    maxStackSizeBytes: STACK_BYTES,
  });
  const deadline = performance.now() + limits.timeMs;
  const isLate = () => performance.now() > deadline;
  runtime.setInterruptHandler(isLate);
  const lines = createLines(limits);
  try {
    const context = runtime.newContext();
    const result = callFunction(context, call, lines.add, isLate);
    return { ok: true, result, console: lines.all() };
  } catch (cause) {
    const message = isLate()
      ? `The function took longer than ${limits.timeMs / 1000} s.`
      : describe(cause, limits.memoryBytes);
    return { ok: false, message, console: lines.all() };
  }
}

/** An error of the user's code, or a reason why its result can't be sent. */
class ScriptError extends Error {}

function callFunction(
  context: QuickJSContext,
  { code, args, now, limits }: ScriptCall,
  addLine: (line: string) => void,
  isLate: () => boolean,
): string {
  const unwrap = (result: ReturnType<QuickJSContext['evalCode']>) => {
    if (result.error === undefined) return result.value;
    throw isLate() ? new ScriptError() : readError(context, result.error);
  };
  const print = context.newFunction('print', (line) => addLine(context.getString(line)));
  const prelude = unwrap(context.evalCode(PRELUDE, 'prelude.js'));
  const helpers = unwrap(
    context.callFunction(prelude, context.undefined, print, context.newNumber(now)),
  );
  const [parse, toText] = ['parse', 'toText'].map((name) => context.getProp(helpers, name));
  if (parse === undefined || toText === undefined) throw new Error('The prelude has helpers.');
  const value = unwrap(context.callFunction(parse, context.undefined, context.newString(args)));
  const run = findFunction(context, code, unwrap);
  const returned = unwrap(context.callFunction(run, context.undefined, value));
  const result = settle(context, returned, isLate);
  const text = unwrap(context.callFunction(toText, context.undefined, result));
  if (context.typeof(text) !== 'string') {
    throw new ScriptError(`The result isn’t JSON, but a ${context.typeof(result)}.`);
  }
  const length = context.getNumber(context.getProp(text, 'length'));
  if (length > limits.resultLength) {
    const most = limits.resultLength.toLocaleString('en');
    throw new ScriptError(`The result is longer than ${most} characters.`);
  }
  return context.getString(text);
}

/** The code is a function, or a program whose last expression or `run` is one. */
function findFunction(
  context: QuickJSContext,
  code: string,
  unwrap: (result: ReturnType<QuickJSContext['evalCode']>) => QuickJSHandle,
): QuickJSHandle {
  const expression = context.evalCode(`(${code}\n)`, FILE);
  if (expression.error === undefined && context.typeof(expression.value) === 'function') {
    return expression.value;
  }
  const value = unwrap(context.evalCode(code, FILE));
  if (context.typeof(value) === 'function') return value;
  const run = context.getProp(context.global, 'run');
  if (context.typeof(run) === 'function') return run;
  throw new ScriptError('The code isn’t a function. Write (args) => { return … }.');
}

const JOBS_AT_ONCE = 1000;

/** Waits for a promise by running its jobs; returns any other value as it is. */
function settle(
  context: QuickJSContext,
  result: QuickJSHandle,
  isLate: () => boolean,
): QuickJSHandle {
  for (;;) {
    const state = context.getPromiseState(result);
    if (state.type === 'fulfilled') return state.notAPromise === true ? result : state.value;
    if (state.type === 'rejected') throw readError(context, state.error);
    if (isLate()) throw new ScriptError();
    if (!context.runtime.hasPendingJob())
      throw new ScriptError('The function’s promise never settles.');
    context.runtime.executePendingJobs(JOBS_AT_ONCE);
  }
}

function readError(context: QuickJSContext, handle: QuickJSHandle): ScriptError {
  const read = (name: string) => {
    const value = context.typeof(handle) === 'object' ? context.getProp(handle, name) : null;
    return value !== null && context.typeof(value) === 'string' ? context.getString(value) : '';
  };
  const message = read('message');
  const text = message === '' ? String(context.dump(handle)) : message;
  // The engine reports the line of the statement before for errors that it throws itself.
  const [, line] = new RegExp(`${FILE}:(\\d+)`).exec(read('stack')) ?? [];
  const name = read('name');
  const at = line === undefined ? '' : ` (near line ${line})`;
  return new ScriptError(`${name === '' ? '' : `${name}: `}${text}${at}`);
}

function describe(cause: unknown, memoryBytes: number): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof ScriptError && !/out of memory/.test(text)) return text;
  if (/out of memory|memory access|allocat/i.test(text)) {
    return `The function used more than ${memoryBytes / 1024 / 1024} MiB of memory.`;
  }
  return `The function ended the engine: ${text}`;
}

function createLines({ consoleLines, consoleLength }: ScriptLimits) {
  const lines: string[] = [];
  let length = 0;
  let left = 0;
  return {
    add(line: string): void {
      length += line.length;
      if (lines.length < consoleLines && length <= consoleLength) lines.push(line);
      else left += 1;
    },
    all: () => (left === 0 ? lines : [...lines, `… and ${left} more`]),
  };
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** The build copies the WebAssembly module next to this code. */
function moduleUrl(): URL {
  if (import.meta.url.endsWith('.ts')) {
    return new URL(import.meta.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'));
  }
  const [beside, above] = [
    new URL('./quickjs.wasm', import.meta.url),
    new URL('../quickjs.wasm', import.meta.url),
  ];
  return existsSync(beside) ? beside : above;
}
