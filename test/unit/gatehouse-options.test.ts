/** Checks the command line of `npm run gatehouse`. */
import { describe, expect, it } from 'vitest';
import { parseCliOptions, USAGE } from '../../electron/cli/options.ts';
import { loadInputSchema, probeInputSchema } from '../../shared/checks/check.ts';

const parse = (line: string) => parseCliOptions(line.split(' '));

describe('parseCliOptions', () => {
  it('reads a probe', () => {
    const options = parse(
      'probe --connection Demo --model a --model b --format messages --operation chat --operation speech --json --expect stop=honored --expect seed=unclear',
    );
    expect(options).toEqual({
      command: 'probe',
      connection: 'Demo',
      home: null,
      isJson: true,
      overCap: false,
      input: {
        kind: 'probe',
        models: ['a', 'b'],
        formats: ['messages'],
        operations: ['chat', 'speech'],
      },
      expected: [
        { rowId: 'stop', verdict: 'honored' },
        { rowId: 'seed', verdict: 'unclear' },
      ],
    });
    if (options.command !== 'probe') expect.fail();
    probeInputSchema.parse({ ...options.input, connectionId: 'demo' });
  });

  it('reads a load', () => {
    const options = parse(
      'load --home x --model a --stages 1,16,1 --requests 20 --warmup 2 --max-tokens 9 --target first-token:p95:2000 --max-errors 50% --max-cost 0.5 --max-seconds 60 --over-cap',
    );
    expect(options).toMatchObject({
      command: 'load',
      home: 'x',
      overCap: true,
      input: {
        models: ['a'],
        stages: [
          { atOnce: 1, requests: 20 },
          { atOnce: 16, requests: 20 },
        ],
        warmup: 2,
        requests: [{ max_tokens: 9, stream: true }],
        limits: { requests: null, seconds: 60, cost: 0.5, errorShare: 0.5 },
        target: { figure: 'firstTokenMs', percentile: 95, ms: 2000 },
      },
    });
    if (options.command !== 'load') expect.fail();
    loadInputSchema.parse({ ...options.input, connectionId: 'demo' });
  });

  it('reads the operation of a load, and the file of its rows', () => {
    expect(parse('load --model a --operation embeddings --prompt Harbor')).toMatchObject({
      rows: null,
      input: { operation: 'embeddings', requests: [{ input: 'Harbor' }] },
    });
    expect(parse('load --model a --operation rerank --rows rows.jsonl')).toMatchObject({
      rows: 'rows.jsonl',
      input: { operation: 'rerank', requests: [] },
    });
  });

  it('reads the file to run', () => {
    expect(parse('run --model a request.json')).toMatchObject({
      command: 'run',
      file: 'request.json',
      model: 'a',
    });
  });

  it.each(['', 'help', '--help', 'probe --help', 'load -h', 'run --help'])('helps: %j', (line) => {
    expect(parse(line === '' ? 'help' : line)).toMatchObject({ command: 'help' });
    expect(parseCliOptions([])).toMatchObject({ command: 'help' });
  });

  it.each([
    ['stop', 'There is no command “stop”.'],
    ['probe', 'Choose a model with --model.'],
    ['probe --model a --format xml', 'There is no format “xml”.'],
    ['probe --model a --operation dance', 'There is no operation “dance”.'],
    ['probe --model a --expect stop=perhaps', '--expect must be ROW=VERDICT'],
    ['probe --model a --expect stop', '--expect must be ROW=VERDICT'],
    ['probe --model a --stages 1', "Unknown option '--stages'"],
    ['load --model a --stages 1,0', '--stages must be whole numbers from 1, not “0”.'],
    ['load --model a --requests 1.5', '--requests must be whole numbers from 1'],
    ['load --model a --max-cost free', '--max-cost must be a number above 0'],
    ['load --model a --target first-token', '--target must be like first-token:p95:2000'],
    ['load --model a --target first-token:p75:9', '--target must be like first-token:p95:2000'],
    ['load --model a --target total:p99:9', 'This target needs 100 requests in each stage'],
    ['load --model a --operation dance', 'There is no operation “dance”.'],
    ['load --model a --operation rerank', 'A load of rerank needs --rows'],
    ['load --model a --prompt b --rows c', 'Use --prompt or --rows.'],
    ['run', 'Name one file to run.'],
    ['run a.json b.json', 'Name one file to run.'],
  ])('rejects %j', (line, message) => {
    expect(() => parse(line)).toThrow(message);
  });

  it('names each option in the usage', () => {
    for (const name of ['--connection', '--home', '--expect', '--target', '--max-errors']) {
      expect(USAGE).toContain(name);
    }
  });
});
