/**
 * Runs the tests and prints the totals on the last line: `npm test` runs what a newcomer needs, and
 * `npm run test:rest` the tests that are exhaustive or measure time.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitWithParent } from '../../electron/launch/signals.ts';
import { ensureChromium } from './chromium.ts';
import { runCommand } from './run-command.ts';
import { openTestSession } from './test-session.ts';
import {
  add,
  noTests,
  playwrightTotals,
  quote,
  readTotals,
  type Totals,
  totalsLine,
  vitestTotals,
  withCommand,
} from './test-totals.ts';

type Part = 'test' | 'rest';
/** Which files run, by their names: `x.test.ts`, `x.rest.test.ts` or `x.alone.test.ts`. */
type Selection = 'quick' | 'rest' | 'alone';

interface Step {
  name: string;
  args: string[];
  /** The command that a developer types to run the step again. */
  repeat: string;
  timeoutSeconds: number;
  environment?: NodeJS.ProcessEnv;
  /** Counts the tests in the step's reports. A step without reports counts as one test. */
  count?: () => Totals;
  /** A file that lists the running tests, to print if the step hangs. */
  running?: string;
}

const part: Part = process.argv[2] === 'rest' ? 'rest' : 'test';
/** The limit of the whole part. A busy machine can be four times slower than an idle one. */
const TOTAL_SECONDS = { test: 40 * 60, rest: 80 * 60 }[part];
const OUTPUT = '.test';
const reports = join(OUTPUT, part);

const started = performance.now();
const log = (line: string): void => console.log(line);
const failedSteps: string[] = [];
let totals = noTests;

exitWithParent();
const session = openTestSession();

/**
 * Prints output as it arrives if `shown`, and at the end otherwise, so that parallel steps stay
 * readable.
 */
async function run(step: Step, shown = true): Promise<boolean> {
  if (session.stoppedBy !== null) return false;
  log(shown ? `\n── ${step.name} ──` : `\nstarted: ${step.name}`);
  const left = TOTAL_SECONDS - (performance.now() - started) / 1000;
  const timeoutSeconds = Math.max(1, Math.min(step.timeoutSeconds, left));
  const { code, output, seconds, timedOut } = await runCommand(process.execPath, step.args, {
    show: shown,
    timeoutSeconds,
    environment: step.environment ?? {},
  });
  if (!shown) log(`\n── ${step.name} ──\n${output.trimEnd()}`);
  const ok = code === 0;
  const counted = step.count?.() ?? { ...noTests, passed: ok ? 1 : 0 };
  totals = add(totals, withCommand(counted, ok, step.repeat));
  if (!ok) failedSteps.push(step.name);
  if (timedOut) {
    log(`${step.name}: ended after its limit of ${Math.round(timeoutSeconds)} s`);
    if (step.running !== undefined) log(`Still running:\n${readFileSync(step.running, 'utf8')}`);
  }
  log(`${ok ? 'ok' : 'FAILED'}: ${step.name} (${seconds.toFixed(0)} s)`);
  return ok;
}

/** Runs the lanes in parallel and the steps of each lane in order. */
async function runBeside(...lanes: Step[][]): Promise<void> {
  await Promise.all(
    lanes.map(async (steps) => {
      for (const step of steps) await run(step, false);
    }),
  );
}

/** Two runners share the machine. */
const vitestArgs: Record<Selection | 'long', string[]> = {
  quick: ['--exclude=**/*.rest.test.*', '--exclude=**/*.alone.test.*', '--maxWorkers=2'],
  rest: ['.rest.test.', '--maxWorkers=2'],
  // These tests measure time, so nothing else runs at the same time.
  alone: ['.alone.test.', '--maxWorkers=1'],
  // Property tests with 50 times as many inputs.
  long: ['properties-', '--mode=long', '--testTimeout=3600000', '--maxWorkers=2'],
};

/** Runs all `projects` at once, so that an idle worker can take files from the next project. */
function vitest(selection: keyof typeof vitestArgs, projects: string[]): Step {
  const name = join(reports, [selection, ...projects].join('-'));
  const report = `${name}.json`;
  const running = `${name}-running.txt`;
  const args = [
    'run',
    ...projects.map((project) => `--project=${project}`),
    ...vitestArgs[selection],
  ];
  return {
    name: `${projects.join(', ')} tests (${selection})`,
    args: [
      'node_modules/vitest/vitest.mjs',
      ...args,
      '--reporter=default',
      '--reporter=json',
      '--reporter=./test/scripts/running-reporter.ts',
      `--outputFile.json=${report}`,
    ],
    repeat: ['npx vitest', ...args.map(quote)].join(' '),
    timeoutSeconds: TOTAL_SECONDS / 2,
    environment: { GATEHOUSE_RUNNING: resolve(running) },
    running,
    count: () => readTotals(report, vitestTotals),
  };
}

function playwright(selection: Selection): Step {
  const report = join(reports, `e2e-${selection}.json`);
  // Tests in Electron are exhaustive where it is installed, and skipped elsewhere.
  const args = selection === 'quick' ? ['test', '--project=browser'] : ['test'];
  return {
    name: `e2e tests (${selection})`,
    args: ['node_modules/@playwright/test/cli.js', ...args, '--reporter=list,json'],
    repeat: `GATEHOUSE_TESTS=${selection} npx playwright ${args.join(' ')}`,
    timeoutSeconds: TOTAL_SECONDS,
    environment: { GATEHOUSE_TESTS: selection, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    count: () => readTotals(report, playwrightTotals),
  };
}

const check: Step = {
  name: 'check',
  args: ['test/scripts/check.ts'],
  repeat: 'npm run check',
  timeoutSeconds: 900,
};
const build: Step = {
  name: 'build',
  args: ['test/scripts/build.ts'],
  repeat: 'npm run build',
  timeoutSeconds: 900,
};

const nodeProjects = ['unit', 'page', 'service'];

async function runQuick(): Promise<void> {
  const built = await run(build);
  const e2e = built ? [playwright('quick')] : [];
  await runBeside([vitest('quick', nodeProjects), check], [vitest('quick', ['component']), ...e2e]);
}

async function runRest(): Promise<void> {
  const built = await run(build);
  await runBeside(
    [vitest('rest', [...nodeProjects, 'faults'])],
    [vitest('rest', ['component']), ...(built ? [playwright('rest')] : [])],
  );
  await run(vitest('long', ['unit', 'service']));
  await run(vitest('alone', ['service']));
  if (built) await run(playwright('alone'));
}

/** Reads what the other part counted, so that CI's last line counts both. */
function totalsFile(of: Part): string {
  return join(OUTPUT, `${of}-totals.json`);
}

if (part === 'test') rmSync(OUTPUT, { recursive: true, force: true });
else for (const old of [reports, totalsFile('rest')]) rmSync(old, { recursive: true, force: true });
rmSync('.out', { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const chromium = await ensureChromium(log);
if (chromium !== null) {
  process.env.GATEHOUSE_CHROMIUM = chromium;
  // Cache compiled code, because most tests start threads that would compile it again.
  process.env.NODE_COMPILE_CACHE = resolve(OUTPUT, 'compile-cache');
  await (part === 'test' ? runQuick() : runRest());
}

const stoppedCode = session.close();
if (chromium === null || stoppedCode !== null) process.exit(stoppedCode ?? 1);

const ok = failedSteps.length === 0;
log(ok ? '\nAll steps passed.' : `\nFailed: ${failedSteps.join(', ')}.`);
for (const repeat of totals.repeats) log(`Repeat: ${repeat}`);
writeFileSync(totalsFile(part), JSON.stringify(totals));
if (part === 'test') log(totalsLine(totals));
else {
  log(`npm run test:rest: ${totalsLine(totals)}`);
  log(
    totalsLine(
      add(
        totals,
        readTotals<Totals>(totalsFile('test'), (read) => read),
      ),
    ),
  );
}
process.exitCode = ok ? 0 : 1;
