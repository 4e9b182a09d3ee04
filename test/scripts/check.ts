/**
 * Checks format, lint, types on every side, import boundaries, voice and dead code (`npm run
 * check`).
 */
import { boundaryViolations, readSources, type Sources } from './boundaries.ts';
import { runCommand } from './run-command.ts';
import { findOddTexts } from './voice.ts';

interface Finding {
  name: string;
  ok: boolean;
  output: string;
  seconds: number;
}

async function tool(name: string, script: string, ...args: string[]): Promise<Finding> {
  const result = await runCommand(process.execPath, [`node_modules/${script}`, ...args], {
    timeoutSeconds: 300,
  });
  return { name, ok: result.code === 0, output: result.output, seconds: result.seconds };
}

/** Checks types on one side, with one thread because all checks run at the same time. */
function types(side: string): () => Promise<Finding> {
  return () =>
    tool(`types of ${side}`, 'typescript/bin/tsc', '--noEmit', '--singleThreaded', '-p', side);
}

function sourceCheck(name: string, find: (sources: Sources) => string[]): () => Promise<Finding> {
  return async () => {
    const started = performance.now();
    const problems = find(sources);
    const seconds = (performance.now() - started) / 1000;
    return { name, ok: problems.length === 0, output: problems.join('\n'), seconds };
  };
}

const sources = readSources('.', ['shared', 'electron', 'renderer', 'test']);

const lint = ['check', '--colors=off', '--error-on-warnings', '.'];

const steps = [
  () => tool('format and lint', '@biomejs/biome/bin/biome', ...lint),
  types('shared'),
  types('electron'),
  types('electron/tsconfig.preload.json'),
  types('renderer'),
  types('test'),
  sourceCheck('import boundaries', boundaryViolations),
  sourceCheck('voice of comments and test titles', findOddTexts),
  () => tool('dead code', 'knip/bin/knip.js'),
];

const findings = await Promise.all(steps.map((step) => step()));
const failed = findings.filter(({ ok }) => !ok);
for (const { name, output } of failed) console.log(`── ${name} ──\n${output.trimEnd()}\n`);
for (const { name, ok, seconds } of findings) {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name} (${seconds.toFixed(1)} s)`);
}
console.log(
  failed.length === 0
    ? `check: all ${findings.length} hold`
    : `check: ${failed.length} of ${findings.length} failed`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
