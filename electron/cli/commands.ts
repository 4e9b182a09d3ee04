/** Runs the commands of `npm run gatehouse` on the services, without a page. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Check, checkInputSchema, type RowVerdict } from '../../shared/checks/check.ts';
import type { AppError } from '../../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { hasResult, isFinished, runInputSchema } from '../../shared/run.ts';
import { getResponse } from '../../shared/run-view.ts';
import type { Services } from '../services.ts';
import {
  type CliOptions,
  type LoadOptions,
  type ProbeOptions,
  type RunOptions,
  readRequest,
  UsageError,
} from './options.ts';

export interface CliOutput {
  /** Writes a line of standard output. */
  print(line: string): void;
  /** Writes a line of standard error. */
  tell(line: string): void;
}

/** 1: something expected or aimed at didn't come. 2: nothing could be measured. */
export type ExitCode = 0 | 1 | 2;

/** `signal` stops the check or the run. */
interface Context {
  services: Services;
  connectionId: string;
  output: CliOutput;
  signal: AbortSignal;
}

/**
 * Resolves with the exit code. Throws a `UsageError` or a `UserFacingError` if the command can't
 * run.
 */
export async function runCommand(
  options: CliOptions,
  given: Omit<Context, 'connectionId'>,
): Promise<ExitCode> {
  const connectionId = findConnection(given.services, options.connection);
  const context = { ...given, connectionId };
  switch (options.command) {
    case 'probe':
      return probe(options, context);
    case 'load':
      return load(options, context);
    case 'run':
      return runFile(options, context);
  }
}

/** Prefers the name as it is written; without one, returns the gateway of the environment. */
function findConnection({ connections }: Services, name: string | null): string {
  const all = connections.list();
  if (name === null) {
    if (all.some(({ id }) => id === 'environment')) return 'environment';
    throw new UsageError('Set GATEHOUSE_BASE_URL, or choose a connection with --connection.');
  }
  const found =
    all.find((each) => each.name === name) ??
    all.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found.id;
  const names = all.map((each) => each.name).join(', ');
  throw new UsageError(`There is no connection “${name}”. There are: ${names}.`);
}

async function probe(options: ProbeOptions, context: Context): Promise<ExitCode> {
  const { services, connectionId, output } = context;
  const input = { ...options.input, connectionId };
  const { asked } = await services.checks.plan(input);
  const ids = new Set(asked.map(({ id }) => id));
  const unknown = options.expected.find(({ rowId }) => !ids.has(rowId));
  if (unknown !== undefined) {
    const rows = [...ids].join(', ');
    throw new UsageError(`The probe has no row “${unknown.rowId}”. It has: ${rows}.`);
  }
  const check = await runCheck(input, options, context);
  const verdicts = check.body.kind === 'probe' ? check.body.verdicts : [];
  const missed = options.expected.flatMap((expected) => listMissed(expected, verdicts));
  for (const line of missed) output.tell(line);
  if (missed.length > 0) return 1;
  if (options.expected.length > 0 || verdicts.some(({ verdict }) => verdict !== 'unclear'))
    return 0;
  output.tell('No row could be decided.');
  return 2;
}

/** A row without a verdict, for example of a stopped probe, isn't as expected either. */
function listMissed(
  { rowId, verdict }: ProbeOptions['expected'][number],
  verdicts: readonly RowVerdict[],
): string[] {
  const found = verdicts.filter((each) => each.rowId === rowId);
  if (found.length === 0) return [`${rowId}: expected ${verdict}, got no verdict.`];
  return found
    .filter((each) => each.verdict !== verdict)
    .map(({ model, verdict: got, sentence }) => {
      return `${rowId}: expected ${verdict}, got ${got} from ${model}. ${sentence}`;
    });
}

async function load(options: LoadOptions, context: Context): Promise<ExitCode> {
  const { rows, maxTokens } = options;
  const { connectionId, output } = context;
  const requests =
    rows === null ? options.input.requests : readRows(rows, options.input.operation, maxTokens);
  const input = { ...options.input, requests, connectionId };
  const { body } = await runCheck(input, options, context);
  if (body.kind !== 'load') return 0;
  const { results, stages, stopped, target } = body;
  if (!results.some((each) => each.stages.some((stage) => stage.requests > stage.failed))) {
    output.tell('No request succeeded.');
    return 2;
  }
  const isWhole = stopped === null && results.every((each) => each.stages.length === stages.length);
  const missed = results.flatMap(({ model, stages: measured }) =>
    measured
      .filter(({ meetsTarget }) => meetsTarget !== true)
      .map(({ atOnce }) => `${model} misses the target with ${atOnce} at once.`),
  );
  if (!isWhole) output.tell('The load ended before all stages were measured.');
  if (target === null) return stopped === 'errors' ? 1 : 0;
  for (const line of missed) output.tell(line);
  return isWhole && missed.length === 0 ? 0 : 1;
}

/** Names the option that goes beyond a daily cap, in place of what the page offers. */
export function describeError({ kind, message, nextStep }: AppError): string {
  return `${message} ${kind === 'beyond-cap' ? 'Nothing was sent. Add --over-cap to send anyway.' : nextStep}`;
}

/** Prints the plan, the progress, and the results as they come. */
async function runCheck(
  given: unknown,
  { isJson, overCap }: CliOptions,
  { services: { checks }, output: { print, tell }, signal }: Context,
): Promise<Check> {
  const parsed = checkInputSchema.safeParse(given);
  if (!parsed.success) throw new UsageError(z.prettifyError(parsed.error));
  const { estimate } = await checks.plan(parsed.data);
  const write = (type: string, fields: object) => {
    if (isJson) print(JSON.stringify({ type, ...fields }));
  };
  write('plan', { estimate });
  tell(`${estimate.requests} requests, about ${estimate.inputTokens} input tokens.`);
  const id = await checks.start(parsed.data, overCap);
  const stop = () => void checks.stop(id);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  let printed = 0;
  try {
    for await (const { check, progress, heldBy } of checks.watch(id, undefined)) {
      const verdicts = check?.body.kind === 'probe' ? check.body.verdicts : [];
      for (const verdict of verdicts.slice(printed)) write('verdict', verdict);
      printed = Math.max(printed, verdicts.length);
      write('progress', progress);
      if (progress.state === 'running') continue;
      if (heldBy !== null) throw new UsageError(describeError(heldBy));
      break;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  const check = checks.get(id);
  if (check.body.kind === 'load') {
    for (const { model, stages } of check.body.results) {
      for (const stage of stages) write('stage', { model, ...stage });
    }
  }
  write('check', { id, title: check.title });
  if (!isJson) for await (const chunk of checks.export(id, 'markdown')) print(chunk.trimEnd());
  return check;
}

const fileSchema = runInputSchema.extend({ operation: operationNameSchema });

async function runFile(
  { file, model, isJson, overCap }: RunOptions,
  { services: { engine }, connectionId, output: { print, tell }, signal }: Context,
): Promise<ExitCode> {
  const { operation, request, ...input } = readFile(file);
  const asked = model === null ? request : { ...request, model };
  const runId = await engine.start({ ...input, operation, connectionId, overCap, request: asked });
  const stop = () => void engine.cancel(runId);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  for await (const _ of engine.watch(runId, null, undefined)) void _;
  const view = await engine.view(runId);
  const { state: _state, seq: _seq, ...summary } = view;
  const response = getResponse(view);
  if (isJson) print(JSON.stringify({ type: 'run', ...summary, response }));
  else if (response !== null) print(response.text);
  if (view.error !== null) tell(describeError(view.error));
  else if (view.figures?.noResult) tell(view.figures.noResult);
  return isFinished(view.status) && hasResult(view) ? 0 : 1;
}

/** Reads a prompt or a JSON request from each line. */
function readRows(path: string, operation: OperationName, maxTokens: number): JsonObject[] {
  const lines = readText(path).split('\n');
  const rows = lines.flatMap((line, at) => {
    // Also trims a byte order mark.
    const text = line.trim();
    if (text === '') return [];
    const value = parseJson(text);
    if (value === undefined && text.startsWith('{"')) {
      throw new UsageError(`Line ${at + 1} of ${path} isn’t valid JSON.`);
    }
    const row = isJsonObject(value) || typeof value === 'string' ? value : text;
    return [readRequest(operation, row, maxTokens)];
  });
  if (rows.length === 0) throw new UsageError(`${path} has no rows.`);
  return rows;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
}

function readFile(path: string): z.infer<typeof fileSchema> {
  const { success, data, error } = fileSchema.safeParse(parseJson(readText(path)));
  if (!success) throw new UsageError(`${path} isn’t a request.\n${z.prettifyError(error)}`);
  return data;
}
