/** Runs `npm run gatehouse` as a process against the demo gateway. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway } from '../../electron/demo/server.ts';
import { getLoad } from '../fixtures/checks.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const MAIN = fileURLToPath(new URL('../../electron/cli/main.ts', import.meta.url));
const KEY = 'sk-test-1234567890';

let gateway: DemoGateway;
beforeAll(async () => {
  gateway = await startDemoGateway({ port: 0, key: KEY });
});
afterAll(() => gateway.close());

interface Ended {
  code: number;
  /** The lines of standard output as JSON. */
  lines: Record<string, unknown>[];
  out: string;
  err: string;
  /** The files that the command left in its folder for temporary files. */
  left: string[];
}

async function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const TMPDIR = temporaryFolder();
  const given = { GATEHOUSE_BASE_URL: gateway.baseUrl, GATEHOUSE_API_KEY: KEY };
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited, TMPDIR, ...given, ...environment },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    err += bytes.toString();
  });
  const [code] = await once(child, 'close');
  const lines = args.includes('--json')
    ? out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];
  return { code, lines, out, err, left: readdirSync(TMPDIR).filter((name) => !isCache(name)) };
}

/** Node keeps compiled code in this folder. */
const isCache = (name: string) => name.startsWith('node-compile-cache');

const ofType = ({ lines }: Ended, type: string) => lines.filter((line) => line.type === type);

describe('npm run gatehouse', () => {
  it('probes a model, and leaves nothing behind', async () => {
    const probe = ['probe', '--model', 'demo-obeys', '--json'];
    const ended = await run([...probe, '--expect', 'stop=honored', '--expect', 'n=honored']);
    expect(ended).toMatchObject({ code: 0, left: [] });
    expect(ofType(ended, 'plan')).toHaveLength(1);
    const stop = ofType(ended, 'verdict').find(({ rowId }) => rowId === 'stop');
    expect(stop).toMatchObject({ model: 'demo-obeys', verdict: 'honored' });
    expect(ofType(ended, 'progress').at(-1)).toMatchObject({ state: 'done', running: 0 });
  });

  it('exits with 1 if a row has another verdict, and says which', async () => {
    const ended = await run(['probe', '--model', 'demo-ignores', '--expect', 'stop=honored']);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('stop: expected honored, got ignored from demo-ignores.');
    expect(ended.out).toContain('# Probe: demo-ignores');
  });

  it('loads a model in stages, and exits with 1 if it misses the target', async () => {
    const load = ['load', '--model', 'demo-story', '--stages', '1,2', '--json'];
    const few = ['--requests', '1', '--warmup', '0', '--max-tokens', '2'];
    const met = await run([...load, ...few, '--target', 'total:p50:600000']);
    expect(met).toMatchObject({ code: 0, left: [] });
    expect(ofType(met, 'stage')).toMatchObject([
      { model: 'demo-story', atOnce: 1, requests: 1, failed: 0, meetsTarget: true },
      { atOnce: 2, firstTokenMs: { count: 1, p95: null }, meetsTarget: true },
    ]);
    const missed = await run([...load, ...few, '--target', 'total:p50:0.001']);
    expect(missed.code).toBe(1);
    expect(missed.err).toContain('demo-story misses the target with 1 at once.');
  });

  it('loads with the rows of a file in turn, each a prompt or a request', async () => {
    const file = join(temporaryFolder(), 'rows.jsonl');
    const home = temporaryFolder();
    writeFileSync(file, '\uFEFF"Harbor"\r\n\nAt dawn\n{"input": ["One", "Two"]}\n');
    const load = ['load', '--home', home, '--model', 'demo-embed', '--operation', 'embeddings'];
    const few = ['--stages', '1', '--requests', '6', '--warmup', '0'];
    expect(await run([...load, ...few, '--rows', file])).toMatchObject({ code: 0 });
    const after = await startTestServices({ home });
    const [{ id } = { id: '' }] = after.checks.list();
    const { comparisonIds, sent } = getLoad(after.checks.get(id));
    expect(sent).toEqual({ first: { input: 'Harbor' }, count: 3 });
    const runs = after.ledger.getAttempts(comparisonIds[0] ?? '', null);
    const read = await Promise.all(runs.map((each) => after.engine.read(each.id)));
    const inputs = ['Harbor', 'At dawn', ['One', 'Two']];
    expect(read.map(({ request }) => request.input)).toEqual([...inputs, ...inputs]);
    expect(runs.every(({ status }) => status === 'succeeded')).toBe(true);
  });

  it('exits with 2 if a row isn’t valid JSON, and says which', async () => {
    const file = join(temporaryFolder(), 'rows.jsonl');
    writeFileSync(file, '{"input": "One"}\n\n{"input": "Two"\n');
    const ended = await run(['load', '--model', 'demo-embed', '--rows', file]);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(`Line 3 of ${file} isn’t valid JSON.`);
  });

  it('runs a request from a file', async () => {
    const file = join(temporaryFolder(), 'request.json');
    const messages = [{ role: 'user', content: 'Hello' }];
    const request = { model: 'demo-story', messages, max_tokens: 5 };
    writeFileSync(file, JSON.stringify({ operation: 'chat', request }));
    const ended = await run(['run', file, '--json']);
    expect(ended.code).toBe(0);
    const [line] = ofType(ended, 'run');
    expect(line).toMatchObject({ status: 'succeeded', model: 'demo-story', httpStatus: 200 });
    expect((await run(['run', file, '--model', 'missing'])).code).toBe(1);
  });

  it('uses a connection of a data folder, whose results it keeps', async () => {
    const home = temporaryFolder();
    const before = await startTestServices({ home });
    const { id } = await before.connections.create({ name: 'Team', baseUrl: gateway.baseUrl });
    await before.connections.setKey(id, KEY, 'file');
    await before.close();
    const load = ['load', '--home', home, '--connection', 'team', '--model', 'demo-story'];
    const few = ['--stages', '1', '--requests', '1', '--max-tokens', '2'];
    const own = { GATEHOUSE_BASE_URL: undefined, GATEHOUSE_API_KEY: undefined };
    expect(await run([...load, ...few], own)).toMatchObject({ code: 0 });
    const after = await startTestServices({ home });
    expect(after.checks.list()).toMatchObject([{ connectionName: 'Team', state: 'done' }]);
  });

  it('exits with 2 at the daily cap of the connection, unless the user goes beyond it', async () => {
    const home = temporaryFolder();
    const services = await startTestServices({ home });
    const { id } = await services.connections.create({ name: 'Team', baseUrl: gateway.baseUrl });
    await services.connections.setKey(id, KEY, 'file');
    services.settings.update({ dailyCaps: { [id]: 0 } });
    await services.close();
    const load = ['load', '--home', home, '--connection', 'team', '--model', 'demo-story'];
    const few = ['--stages', '1', '--requests', '1', '--max-tokens', '2'];
    const held = await run([...load, ...few]);
    expect(held.code).toBe(2);
    expect(held.err).toContain('Team has used $0 of today’s $0 cap');
    expect(held.err).toContain('Nothing was sent. Add --over-cap to send anyway.');
    expect(await run([...load, ...few, '--over-cap'])).toMatchObject({ code: 0 });
  });

  it.each([
    ['load', '--stages', '1', '--requests', '2'],
    ['probe', '--operation', 'rerank'],
  ])('exits with 2 if nothing answers a %s', async (...args) => {
    const nowhere = { GATEHOUSE_BASE_URL: 'http://127.0.0.1:1' };
    expect(await run([...args, '--model', 'm'], nowhere)).toMatchObject({ code: 2 });
  });

  it('exits with 1 if a load ends at its share of errors', async () => {
    const load = ['load', '--model', 'demo-limit', '--stages', '1', '--requests', '60'];
    const ended = await run([...load, '--max-tokens', '2', '--max-errors', '20']);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('The load ended before all stages were measured.');
  });

  it('refuses a data folder in use', async () => {
    const home = temporaryFolder();
    await startTestServices({ home });
    const ended = await run(['load', '--home', home, '--model', 'demo-story']);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain('Another Gatehouse is already using this data folder');
  });

  it.each([
    [['dance'], 'There is no command “dance”.'],
    [['load', '--model', 'a', '--connection', 'Nowhere'], 'There is no connection “Nowhere”.'],
    [['run', 'missing.json'], 'ENOENT'],
    [['load', '--model', 'a', '--rows', 'missing.jsonl'], 'ENOENT'],
    [['load', '--model', 'a', '--max-seconds', '9000000'], 'expected number to be <=1000000'],
    [['probe', '--model', 'a', '--operation', 'completion'], 'asks nothing about completion'],
    [['probe', '--model', 'a', '--expect', 'dance=honored'], 'The probe has no row “dance”.'],
  ])('exits with 2 if it can’t run %j', async (args, message) => {
    const ended = await run(args);
    expect(ended).toMatchObject({ code: 2, out: '', left: [] });
    expect(ended.err).toContain(message);
  });
});
