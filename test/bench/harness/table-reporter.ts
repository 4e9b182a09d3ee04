import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import type {
  FullConfig,
  FullResult,
  Reporter,
  TestCase,
  TestResult,
} from '@playwright/test/reporter';
import { findChromium } from '../../scripts/chromium.ts';
import { figuresOf } from './figures.ts';
import { MIN_ROUNDS, rounds } from './rounds.ts';
import { markdownTable, outcomeOf, type Row } from './table.ts';

const SUFFIX = '.bench.ts';
const BENCHES = join(import.meta.dirname, '..');
const README = join(BENCHES, 'README.md');
const PLACE = /(<!-- table -->\n).*(<!-- end -->)/s;

/** Prints the table, and writes it to README.md after a full run. Fails if a goal is missed. */
// Playwright requires a default export for a reporter.
// biome-ignore lint/style/noDefaultExport: see above
export default class TableReporter implements Reporter {
  readonly #benches = new Map<string, Row[]>();
  #isFiltered = false;

  onBegin({ grep, grepInvert }: FullConfig): void {
    this.#isFiltered = String(grep) !== '/.*/' || grepInvert !== null;
  }

  onTestEnd(test: TestCase, { status, annotations }: TestResult): void {
    const name = basename(test.location.file, SUFFIX);
    const rows: Row[] = this.#benches.get(name) ?? [];
    rows.push(...figuresOf(annotations));
    if (status !== 'passed') rows.push({ failed: test.title });
    this.#benches.set(name, rows);
  }

  onEnd(): Promise<{ status?: FullResult['status'] }> {
    const table = markdownTable(this.#benches);
    if (this.#benches.size > 0) console.log(`\n${table}\n`);
    const rows = [...this.#benches.values()].flat();
    const missed = rows.filter((row) => !('failed' in row) && outcomeOf(row) === 'missed').length;
    if (this.#isComplete()) {
      const text = `${describeRun()}\n\n${table}\n`;
      const readme = readFileSync(README, 'utf8');
      writeFileSync(
        README,
        readme.replace(PLACE, (_all, start, end) => `${start}\n${text}\n${end}`),
      );
      console.log('The table is in test/bench/README.md.');
    }
    if (missed === 0) return Promise.resolve({});
    console.log(`${missed} ${missed === 1 ? 'goal is' : 'goals are'} missed.`);
    return Promise.resolve({ status: 'failed' });
  }

  #isComplete(): boolean {
    const files = globSync(`*${SUFFIX}`, { cwd: BENCHES });
    const all = files.every((file) => this.#benches.has(basename(file, SUFFIX)));
    return all && rounds >= MIN_ROUNDS && !this.#isFiltered;
  }
}

function describeRun(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const chromium = findChromium();
  const browser =
    chromium === null ? 'no Chromium' : execFileSync(chromium, ['--version']).toString().trim();
  const date = new Date().toISOString().slice(0, 10);
  return `${date}: ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${memory} GB, ${process.platform} ${process.arch}; Node ${process.versions.node}, ${browser}; ${rounds} rounds.`;
}
