/** Runs all tests and prints the totals on the last line (`npm test`). */
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitWithParent } from '../../electron/launch/signals.ts';
import { ensureChromium } from './chromium.ts';
import { runCommand } from './run-command.ts';
import {
  add,
  noTests,
  playwrightTotals,
  readTotals,
  type Totals,
  totalsLine,
  vitestTotals,
  withCommand,
} from './test-totals.ts';

/** The limit of the whole run. A busy machine can be four times slower than an idle one. */
const TOTAL_SECONDS = 60 * 60;
const REPORTS = '.test/reports';
/** The tag of e2e tests that measure time and so must run alone. */
const ALONE = '@alone';

const started = performance.now();
const log = (line: string): void => console.log(line);
const failedSteps: string[] = [];
let totals = noTests;

interface Step {
  name: string;
  args: string[];
  timeoutSeconds: number;
  environment?: NodeJS.ProcessEnv;
  /** Counts the tests in the step's reports. A step without reports counts as one test. */
  count?: () => Totals;
}

/**
 * Prints output as it arrives if `shown`, and at the end otherwise, so that parallel steps stay
 * readable.
 */
async function run(step: Step, shown = true): Promise<boolean> {
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
  totals = add(totals, withCommand(counted, ok));
  if (!ok) failedSteps.push(step.name);
  if (timedOut) log(`${step.name}: ended after its limit of ${Math.round(timeoutSeconds)} s`);
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

/** Runs all `projects` at once, so that an idle worker can take files from the next project. */
function vitest(projects: string[], timeoutSeconds: number): Step {
  const report = `${REPORTS}/${projects.join('-')}.json`;
  return {
    name: `${projects.join(', ')} tests`,
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.map((project) => `--project=${project}`),
      // Two Vitest runs share the machine.
      '--maxWorkers=2',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    timeoutSeconds,
    count: () => readTotals(report, vitestTotals),
  };
}

function playwright(name: string, selection: string[], timeoutSeconds: number): Step {
  const report = `${REPORTS}/${name.replaceAll(' ', '-')}.json`;
  return {
    name,
    args: ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...selection],
    timeoutSeconds,
    environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    count: () => readTotals(report, playwrightTotals),
  };
}

exitWithParent();
rmSync('.test', { recursive: true, force: true });
rmSync('.out', { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const chromium = await ensureChromium(log);
if (chromium === null) process.exit(1);
process.env.GATEHOUSE_CHROMIUM = chromium;
// Cache compiled code, because most tests start threads that would compile it again.
process.env.NODE_COMPILE_CACHE = resolve('.test/compile-cache');

const check: Step = { name: 'check', args: ['test/scripts/check.ts'], timeoutSeconds: 600 };
const built = await run({ name: 'build', args: ['test/scripts/build.ts'], timeoutSeconds: 600 });
if (built) {
  // Use a separate output folder, because Playwright clears its folder before each run.
  const selection = [`--grep=${ALONE}`, '--workers=1', '--output=.test/e2e-alone'];
  await run(playwright('e2e tests alone', selection, 300));
}
const e2e = playwright('e2e tests', [`--grep-invert=${ALONE}`], 2400);
await runBeside(
  [vitest(['unit', 'page', 'service', 'faults'], 2100)],
  [check, vitest(['component'], 1500), ...(built ? [e2e] : [])],
);

log(failedSteps.length === 0 ? '\nAll steps passed.' : `\nFailed: ${failedSteps.join(', ')}.`);
log(totalsLine(totals));
process.exitCode = failedSteps.length === 0 ? 0 : 1;
