/** Calls a user's function in QuickJS, compiled to WebAssembly, without access to anything else. */
import { readFile } from 'node:fs/promises';
import variant from '@jitl/quickjs-ng-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { isJsonObject, type JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { findWasmUrl } from '../base/worker-url.ts';
import { PRELUDE, SCRIPT_FILE } from './script-prelude.ts';

/** Declares Node's global `WebAssembly`, which only the DOM types include. */
declare const WebAssembly: { compile: (bytes: Uint8Array) => Promise<object> };

export interface ScriptLimits {
  timeMs: number;
  memoryBytes: number;
  /** Maximum characters of the result's JSON. */
  resultLength: number;
  consoleLines: number;
  /** Maximum characters of all lines together. */
  consoleLength: number;
}

export interface ScriptCall {
  code: string;
  /** The arguments as JSON. */
  args: string;
  /** Unix time in milliseconds, the only time that the function can read. */
  now: number;
  limits: ScriptLimits;
}

export type Evaluated = { ok: true; result: JsonValue } | { ok: false; message: string };

const STACK_BYTES = 256 * 1024;
const PAGE_BYTES = 64 * 1024;
const JOBS_AT_ONCE = 100;
const TOO_DEEP =
  'The function went too deep: it calls itself too often, or its data is nested too deeply.';
const NO_IMPORTS = 'The function can’t import anything.';
const NO_FUNCTION = 'The code isn’t a function. Write (args) => { return … }.';

/** An error thrown by the function; line and column are 0 if unknown. */
interface ReportedError {
  message: string;
  line: number;
  column: number;
}

/** Thrown if a call fails, with a message for the user and the model. */
class ScriptError extends Error {}

/** Forwards console lines immediately; resolves when the function ends or exceeds a limit. */
export async function evaluateScript(
  call: ScriptCall,
  sendLine: (line: string) => void,
): Promise<Evaluated> {
  const { limits } = call;
  const engine = await loadEngine();
  const memory = limitMemory(engine, limits.memoryBytes);
  const runtime = engine.newRuntime({ maxStackSizeBytes: STACK_BYTES });
  const deadline = performance.now() + limits.timeMs;
  const isLate = () => performance.now() > deadline;
  runtime.setInterruptHandler(isLate);
  const fail = (message: string): Evaluated => ({ ok: false, message });
  try {
    const addLine = limitConsole(limits, sendLine);
    return { ok: true, result: callFunction(runtime.newContext(), call, addLine, isLate) };
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const outOfMemory = `The function used more than ${limits.memoryBytes / 2 ** 20} MB of memory.`;
    if (isLate()) return fail(`The function ran longer than ${limits.timeMs / 1000} seconds.`);
    if (memory.isExhausted() || text.startsWith('InternalError: out of memory')) {
      return fail(outOfMemory);
    }
    // The thread's own stack may overflow before the engine's does.
    if (/maximum call stack size exceeded/i.test(text)) return fail(TOO_DEEP);
    return fail(cause instanceof ScriptError ? text : `The engine failed: ${text}`);
  }
}

async function loadEngine(): Promise<QuickJSWASMModule> {
  const url = findWasmUrl('quickjs.wasm', import.meta.url, () =>
    import.meta.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'),
  );
  const bytes = await readFile(url);
  const wasmModule = await WebAssembly.compile(new Uint8Array(bytes));
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule }));
}

/** Limits the WebAssembly memory, because the engine's own limit ignores small blocks. */
function limitMemory(instance: QuickJSWASMModule, maxBytes: number) {
  const memory: WasmMemory = instance.getWasmMemory();
  const grow = memory.grow.bind(memory);
  let isExhausted = false;
  memory.grow = (pages) => {
    // The engine retries with smaller steps, then reports to the function that memory is full.
    isExhausted = memory.buffer.byteLength + pages * PAGE_BYTES > maxBytes;
    if (isExhausted) throw new RangeError('The memory is used up.');
    return grow(pages);
  };
  return { isExhausted: () => isExhausted };
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow: (pages: number) => number;
}

/** Throws a `ScriptError` if the function fails, or another error if the engine does. */
function callFunction(
  context: QuickJSContext,
  call: ScriptCall,
  addLine: (line: string) => void,
  isLate: () => boolean,
): JsonValue {
  const script = createScript(context, call, addLine);
  const run = findFunction(context, script, call.code);
  const args = context.newString(call.args);
  const promise = script.unwrap(context.callFunction(script.call, context.undefined, run, args));
  return readReport(context.getString(settle(context, script, promise, isLate)));
}

type EvalResult = ReturnType<QuickJSContext['evalCode']>;

interface Script {
  /** The function that calls the user's function with arguments as JSON. */
  call: QuickJSHandle;
  readError(error: QuickJSHandle): ReportedError;
  toError(error: QuickJSHandle): ScriptError;
  /** Returns the value, or throws the error as a `ScriptError`. */
  unwrap(result: EvalResult): QuickJSHandle;
}

/** Prepares the global object; returns functions that call the script and read errors. */
function createScript(
  context: QuickJSContext,
  { now, limits }: ScriptCall,
  addLine: (line: string) => void,
): Script {
  const maxLength = limits.resultLength.toLocaleString('en');
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'prelude'));
  const helpers = context.unwrapResult(
    context.callFunction(prelude, context.undefined, [
      context.newNumber(now),
      context.newFunction('print', (line) => addLine(context.getString(line))),
      context.newNumber(limits.consoleLength),
      context.newNumber(limits.resultLength),
      context.newString(`The result is longer than ${maxLength} characters.`),
    ]),
  );
  const describe = context.getProp(helpers, 'describe');

  function readError(error: QuickJSHandle): ReportedError {
    const text = context.callFunction(describe, context.undefined, error);
    const report = toReportedError(parseJson(context.getString(context.unwrapResult(text))));
    if (report === null) throw new Error('The engine described no error.');
    return report;
  }

  const toError = (error: QuickJSHandle) => new ScriptError(formatError(readError(error)));

  return {
    call: context.getProp(helpers, 'call'),
    readError,
    toError,
    unwrap(result: EvalResult): QuickJSHandle {
      if (result.error === undefined) return result.value;
      throw toError(result.error);
    },
  };
}

/**
 * The code is a function, or a program that declares `run`, ends with a function, or exports one as
 * its default.
 */
function findFunction(context: QuickJSContext, script: Script, code: string): QuickJSHandle {
  const { text, type } = findSource(context, script, code);
  const last = script.unwrap(context.evalCode(text, SCRIPT_FILE, { type }));
  const declared = context.evalCode('typeof run === "function" ? run : undefined', 'prelude');
  const candidates = [script.unwrap(declared), last];
  if (type === 'module') {
    candidates.push(context.getProp(last, 'default'), context.getProp(last, 'run'));
  }
  const found = candidates.find((value) => context.typeof(value) === 'function');
  if (found === undefined) throw new ScriptError(NO_FUNCTION);
  return found;
}

interface Source {
  text: string;
  type: 'global' | 'module';
}

/** Returns the code as an expression, a program or a module, whichever the engine can parse. */
function findSource(context: QuickJSContext, script: Script, code: string): Source {
  const sources: Source[] = [
    { text: `(${code}\n)`, type: 'global' },
    { text: code, type: 'global' },
    { text: code, type: 'module' },
  ];
  let furthest: ReportedError = { message: NO_FUNCTION, line: 0, column: 0 };
  for (const source of sources) {
    const { text, type } = source;
    const compiled = context.evalCode(text, SCRIPT_FILE, { type, compileOnly: true });
    if (compiled.error === undefined) return source;
    const error = script.readError(compiled.error);
    if (isImport(error)) throw new ScriptError(NO_IMPORTS);
    // The opening bracket of the expression isn't part of the code.
    if (text !== code && error.line === 1) error.column -= 1;
    // The parse that got furthest used the intended kind of source.
    const distance = error.line - furthest.line || error.column - furthest.column;
    if (distance >= 0) furthest = error;
  }
  const line = Math.min(furthest.line, code.split('\n').length);
  throw new ScriptError(formatError({ ...furthest, line }));
}

/** Runs pending jobs, because nothing else could settle the promise. */
function settle(
  context: QuickJSContext,
  script: Script,
  promise: QuickJSHandle,
  isLate: () => boolean,
): QuickJSHandle {
  for (;;) {
    const state = context.getPromiseState(promise);
    if (state.type === 'fulfilled') return state.value;
    if (state.type === 'rejected') throw script.toError(state.error);
    if (isLate()) throw new ScriptError('The time is up.');
    if (!context.runtime.hasPendingJob()) {
      throw new ScriptError('The function waits for a promise that never settles.');
    }
    const { error } = context.runtime.executePendingJobs(JOBS_AT_ONCE);
    // The function's own errors become rejected promises, so the engine has failed.
    if (error !== undefined) throw new Error('It couldn’t run a job.');
  }
}

function readReport(text: string): JsonValue {
  const report = parseJson(text);
  if (!isJsonObject(report)) throw new ScriptError('The result is nested too deeply.');
  const error = toReportedError(report.error);
  if (error !== null) throw new ScriptError(formatError(error));
  return report.result ?? null;
}

function toReportedError(value: JsonValue | undefined): ReportedError | null {
  if (!isJsonObject(value) || typeof value.message !== 'string') return null;
  return {
    message: value.message,
    line: Number(value.line ?? 0),
    column: Number(value.column ?? 0),
  };
}

function formatError(error: ReportedError): string {
  if (isImport(error)) return NO_IMPORTS;
  return error.line === 0 ? error.message : `${error.message} (line ${error.line} of the code)`;
}

function isImport({ message }: ReportedError): boolean {
  return message.startsWith('ReferenceError: could not load module');
}

/** Returns a function that forwards lines up to the limits, then reports once that more exist. */
function limitConsole(
  { consoleLines, consoleLength }: ScriptLimits,
  send: (line: string) => void,
): (line: string) => void {
  let lines = 0;
  let left = consoleLength;
  return (line) => {
    if (lines > consoleLines) return;
    const isFull = lines === consoleLines || left <= 0;
    if (isFull) send('… more lines were left out');
    else send(line.length > left ? `${line.slice(0, left)}…` : line);
    lines = isFull ? consoleLines + 1 : lines + 1;
    left -= line.length;
  };
}
