/** Parses the command line of `npm run gatehouse`. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import {
  type ChatFormat,
  type LoadFigure,
  type LoadInput,
  type LoadTarget,
  loadTargetSchema,
  type ProbeInput,
  type Verdict,
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
  --operation O         what to ask, such as chat or speech; several; default: chat
  --expensive           ask also what is expensive, such as video
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

interface CommonOptions {
  connection: string | null;
  home: string | null;
  isJson: boolean;
  overCap: boolean;
}

export interface ExpectedVerdict {
  rowId: string;
  verdict: Verdict;
}

export type CliOptions = CommonOptions &
  (
    | { command: 'help' }
    | {
        command: 'probe';
        input: Omit<ProbeInput, 'connectionId'>;
        expected: ExpectedVerdict[];
      }
    | {
        command: 'load';
        /** Without requests if they are the rows of a file. */
        input: Omit<LoadInput, 'connectionId'>;
        rows: string | null;
        maxTokens: number;
      }
    | { command: 'run'; file: string; model: string | null }
  );

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

const common = {
  connection: text,
  home: text,
  json: flag,
  'over-cap': flag,
  help: { type: 'boolean', short: 'h' },
} as const;
const probe = {
  ...common,
  model: texts,
  format: texts,
  operation: texts,
  expensive: flag,
  expect: texts,
} as const;
const load = {
  ...common,
  model: texts,
  stages: text,
  requests: text,
  warmup: text,
  operation: text,
  prompt: text,
  rows: text,
  'max-tokens': text,
  target: text,
  'max-requests': text,
  'max-seconds': text,
  'max-cost': text,
  'max-errors': text,
} as const;
const run = { ...common, model: text } as const;

/** Throws a `UsageError` that names the invalid option. */
export function parseCliOptions(args: readonly string[]): CliOptions {
  const [command, ...rest] = args;
  switch (command) {
    case 'probe': {
      const { values } = parse(probe, rest, false);
      if (values.help) return { ...readCommon(values), command: 'help' };
      return { ...readCommon(values), command, ...readProbe(values) };
    }
    case 'load': {
      const { values } = parse(load, rest, false);
      if (values.help) return { ...readCommon(values), command: 'help' };
      return { ...readCommon(values), command, ...readLoad(values) };
    }
    case 'run': {
      const { values, positionals } = parse(run, rest, true);
      if (values.help) return { ...readCommon(values), command: 'help' };
      const [file, more] = positionals;
      if (file === undefined || more !== undefined) throw new UsageError('Name one file to run.');
      return { ...readCommon(values), command, file, model: values.model ?? null };
    }
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      return { ...readCommon({}), command: 'help' };
    default:
      throw new UsageError(`There is no command “${command}”.`);
  }
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
  args: string[],
  allowPositionals: boolean,
) {
  try {
    return parseArgs({ args, options, allowPositionals });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
}

interface Values {
  connection?: string;
  home?: string;
  json?: boolean;
  'over-cap'?: boolean;
}

function readCommon(values: Values): CommonOptions {
  return {
    connection: values.connection ?? null,
    home: values.home ?? null,
    isJson: values.json ?? false,
    overCap: values['over-cap'] ?? false,
  };
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

function readProbe(values: {
  model?: string[];
  format?: string[];
  operation?: string[];
  expensive?: boolean;
  expect?: string[];
}) {
  const { format = ['completions'], operation = ['chat'], expect = [] } = values;
  return {
    input: {
      kind: 'probe' as const,
      models: readModels(values.model),
      formats: format.map((name) => {
        const found = formats[name];
        if (found === undefined) throw new UsageError(`There is no format “${name}”.`);
        return found;
      }),
      operations: operation.map(readOperation),
      includesExpensive: values.expensive ?? false,
    },
    expected: expect.map(readExpected),
  };
}

function readOperation(name: string) {
  const { success, data } = operationNameSchema.safeParse(name);
  if (!success) throw new UsageError(`There is no operation “${name}”.`);
  return data;
}

function readExpected(given: string): ExpectedVerdict {
  const at = given.lastIndexOf('=');
  const { success, data } = verdictSchema.safeParse(given.slice(at + 1));
  if (at < 1 || !success) {
    throw new UsageError(`--expect must be ROW=VERDICT, not “${given}”.`);
  }
  return { rowId: given.slice(0, at), verdict: data };
}

const DEFAULT_PROMPT = 'Name three colors, separated by commas.';

function readLoad(values: {
  model?: string[];
  stages?: string;
  requests?: string;
  warmup?: string;
  operation?: string;
  prompt?: string;
  rows?: string;
  'max-tokens'?: string;
  target?: string;
  'max-requests'?: string;
  'max-seconds'?: string;
  'max-cost'?: string;
  'max-errors'?: string;
}) {
  const requests = readInteger('--requests', values.requests ?? '20', 1);
  const target = values.target === undefined ? null : readTarget(values.target);
  const needed = target === null ? 0 : MIN_SAMPLES[target.percentile];
  if (requests < needed) {
    throw new UsageError(`This target needs ${needed} requests in each stage: use --requests.`);
  }
  const errors = readLimit('--max-errors', values['max-errors']);
  const operation = readOperation(values.operation ?? 'chat');
  const maxTokens = readInteger('--max-tokens', values['max-tokens'] ?? '64', 1);
  const { rows = null, prompt } = values;
  if (rows !== null && prompt !== undefined) throw new UsageError('Use --prompt or --rows.');
  const input: Omit<LoadInput, 'connectionId'> = {
    kind: 'load',
    models: readModels(values.model),
    operation,
    requests: rows === null ? [readRequest(operation, prompt ?? DEFAULT_PROMPT, maxTokens)] : [],
    extraBody: {},
    wireNames: {},
    stages: (values.stages ?? '1,2,4,8').split(',').map((stage) => ({
      atOnce: readInteger('--stages', stage.trim(), 1),
      requests,
    })),
    warmup: readInteger('--warmup', values.warmup ?? '1', 0),
    limits: {
      requests: readLimit('--max-requests', values['max-requests']),
      seconds: readLimit('--max-seconds', values['max-seconds']),
      cost: readLimit('--max-cost', values['max-cost']),
      errorShare: errors === null ? null : errors / 100,
    },
    target,
  };
  return { input, rows, maxTokens };
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

function readTarget(given: string): LoadTarget {
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
