/** Parses the command line of `npm run gatehouse`. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import {
  type ChatFormat,
  type LoadFigure,
  type LoadInput,
  loadTargetSchema,
  type ProbeInput,
  verdictSchema,
} from '../../shared/checks/check.ts';
import {
  createLoadRequest,
  isPromptOperation,
  promptFields,
} from '../../shared/checks/load/load-request.ts';
import { MIN_SAMPLES } from '../../shared/checks/load/percentiles.ts';
import type { JsonObject } from '../../shared/json.ts';
import { type OperationName, operationNameSchema } from '../../shared/operations/operation-name.ts';

export const USAGE = `Usage: npm run gatehouse -- probe|load [OPTIONS], or run [OPTIONS] FILE

  --connection NAME     a connection of --home, or Demo; default: the gateway of GATEHOUSE_BASE_URL
  --home DIR            a data folder, for its connections and results; default: a temporary one
  --model M             the model; several for probe and load
  --json                print JSON lines instead of Markdown
  --over-cap            send even if a daily cap may be exceeded

probe
  --format F            completions, messages or responses; several; default: completions
  --operation O         what to ask, such as chat or speech; several; default: chat; video is
                        expensive
  --expect ROW=VERDICT  exit with 1 unless the row is honored, ignored, rejected or unclear; several

load
  --stages 1,2,4,8      numbers of requests at once; default: 1,2,4,8
  --requests N          measured requests in each stage; default: 20
  --warmup N            unmeasured requests of each user before them; default: 1
  --operation O         what to send; default: chat
  --prompt TEXT         what chat, completion or embeddings send; default: a short question
  --rows FILE           sent in turn instead: in each line a prompt, or a request as JSON
  --max-tokens N        the most output tokens of a chat or completion; default: 64
  --target F:pN:MS      exit with 1 unless every stage meets it, such as first-token:p95:2000;
                        F is first-token, between-tokens or total
  --max-requests N, --max-seconds N, --max-cost DOLLARS, --max-errors PERCENT
                        limits at which the load stops

run
  FILE                  JSON with operation, request and, optionally, extraBody and wireNames
`;

/** An error in the command line or in a file that it names. */
export class UsageError extends Error {}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

const common = { connection: text, home: text, json: flag, 'over-cap': flag } as const;
const probeOptions = {
  ...common,
  model: texts,
  format: texts,
  operation: texts,
  expect: texts,
} as const;
const loadOptions = {
  ...common,
  model: texts,
  stages: { ...text, default: '1,2,4,8' },
  requests: { ...text, default: '20' },
  warmup: { ...text, default: '1' },
  operation: { ...text, default: 'chat' },
  prompt: text,
  rows: text,
  'max-tokens': { ...text, default: '64' },
  target: text,
  'max-requests': text,
  'max-seconds': text,
  'max-cost': text,
  'max-errors': text,
} as const;
const runOptions = { ...common, model: text } as const;

export type ProbeOptions = ReturnType<typeof readProbe>;
export type LoadOptions = ReturnType<typeof readLoad>;
export type RunOptions = ReturnType<typeof readRun>;
export type CliOptions = ProbeOptions | LoadOptions | RunOptions;

const HELP = ['--help', '-h'];

/** Throws a `UsageError` that names the invalid option. */
export function parseCliOptions(given: readonly string[]): CliOptions | { command: 'help' } {
  const [command = 'help', ...args] = given;
  if (command === 'help' || given.some((each) => HELP.includes(each))) return { command: 'help' };
  switch (command) {
    case 'probe':
      return readProbe(args);
    case 'load':
      return readLoad(args);
    case 'run':
      return readRun(args);
    default:
      throw new UsageError(`There is no command “${command}”.`);
  }
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
  args: string[],
  allowPositionals = false,
) {
  try {
    return parseArgs({ args, options, allowPositionals });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
}

type CommonValues = ReturnType<typeof parse<typeof common>>['values'];

function readCommon({ connection, home, json, 'over-cap': overCap }: CommonValues) {
  return { connection: connection ?? null, home: home ?? null, isJson: json, overCap };
}

/** A number that is named twice is one stage. */
function readStages(list: string): number[] {
  return [...new Set(list.split(',').map((stage) => readInteger('--stages', stage.trim(), 1)))];
}

function readModels(models: readonly string[] = []): string[] {
  if (models.length === 0) throw new UsageError('Choose a model with --model.');
  return [...new Set(models)];
}

const formats: Readonly<Record<string, ChatFormat>> = {
  completions: '',
  messages: 'messages',
  responses: 'responses',
};

function readProbe(args: string[]) {
  const { values } = parse(probeOptions, args);
  const { format = ['completions'], operation = ['chat'], expect = [] } = values;
  const input: Omit<ProbeInput, 'connectionId'> = {
    kind: 'probe',
    models: readModels(values.model),
    formats: format.map((name) => {
      const found = formats[name];
      if (found === undefined) throw new UsageError(`There is no format “${name}”.`);
      return found;
    }),
    operations: operation.map(readOperation),
  };
  return {
    ...readCommon(values),
    command: 'probe' as const,
    input,
    expected: expect.map(readExpected),
  };
}

function readOperation(name: string): OperationName {
  const { success, data } = operationNameSchema.safeParse(name);
  if (!success) throw new UsageError(`There is no operation “${name}”.`);
  return data;
}

function readExpected(given: string) {
  const at = given.lastIndexOf('=');
  const { success, data } = verdictSchema.safeParse(given.slice(at + 1));
  if (at < 1 || !success) {
    throw new UsageError(`--expect must be ROW=VERDICT, not “${given}”.`);
  }
  return { rowId: given.slice(0, at), verdict: data };
}

const DEFAULT_PROMPT = 'Name three colors, separated by commas.';

function readLoad(args: string[]) {
  const { values } = parse(loadOptions, args);
  const requests = readInteger('--requests', values.requests, 1);
  const target = values.target === undefined ? null : readTarget(values.target);
  const needed = target === null ? 0 : MIN_SAMPLES[target.percentile];
  if (requests < needed) {
    throw new UsageError(`This target needs ${needed} requests in each stage: use --requests.`);
  }
  const errors = readLimit('--max-errors', values['max-errors']);
  const operation = readOperation(values.operation);
  const maxTokens = readInteger('--max-tokens', values['max-tokens'], 1);
  const { rows = null, prompt } = values;
  if (rows !== null && prompt !== undefined) throw new UsageError('Use --prompt or --rows.');
  /** Without requests if they are the rows of a file. */
  const input: Omit<LoadInput, 'connectionId'> = {
    kind: 'load',
    models: readModels(values.model),
    operation,
    requests: rows === null ? [readRequest(operation, prompt ?? DEFAULT_PROMPT, maxTokens)] : [],
    extraBody: {},
    wireNames: {},
    stages: readStages(values.stages).map((atOnce) => ({ atOnce, requests })),
    warmup: readInteger('--warmup', values.warmup, 0),
    limits: {
      requests: readLimit('--max-requests', values['max-requests']),
      seconds: readLimit('--max-seconds', values['max-seconds']),
      cost: readLimit('--max-cost', values['max-cost']),
      errorShare: errors === null ? null : errors / 100,
    },
    target,
  };
  return { ...readCommon(values), command: 'load' as const, input, rows, maxTokens };
}

function readRun(args: string[]) {
  const { values, positionals } = parse(runOptions, args, true);
  const [file, more] = positionals;
  if (file === undefined || more !== undefined) throw new UsageError('Name one file to run.');
  return { ...readCommon(values), command: 'run' as const, file, model: values.model ?? null };
}

/** Throws a `UsageError` if the operation needs more than a prompt. */
export function readRequest(
  operation: OperationName,
  row: string | JsonObject,
  maxTokens: number,
): JsonObject {
  if (typeof row !== 'string') return createLoadRequest(operation, row, maxTokens);
  if (!isPromptOperation(operation)) {
    throw new UsageError(`A load of ${operation} needs --rows with requests as JSON.`);
  }
  return createLoadRequest(operation, promptFields[operation](row), maxTokens);
}

function readInteger(name: string, given: string, least: number): number {
  const number = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(number) || number < least) {
    throw new UsageError(`${name} must be whole numbers from ${least}, not “${given}”.`);
  }
  return number;
}

function readLimit(name: string, given: string | undefined): number | null {
  if (given === undefined) return null;
  const number = Number(given.replace(/%$/, ''));
  if (given.trim() === '' || !(number > 0)) {
    throw new UsageError(`${name} must be a number above 0, not “${given}”.`);
  }
  return number;
}

const figures: Readonly<Record<string, LoadFigure>> = {
  'first-token': 'firstTokenMs',
  'between-tokens': 'betweenTokensMs',
  total: 'totalMs',
};

function readTarget(given: string) {
  const [, name = '', percentile, ms] = /^([a-z-]+):p(\d+):(\d+(?:\.\d+)?)$/.exec(given) ?? [];
  const { success, data } = loadTargetSchema.safeParse({
    figure: figures[name],
    percentile: Number(percentile),
    ms: Number(ms),
  });
  if (!success) {
    throw new UsageError(`--target must be like first-token:p95:2000, not “${given}”.`);
  }
  return data;
}
