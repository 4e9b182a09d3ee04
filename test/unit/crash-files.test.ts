import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/**
 * APIs that write memory or the environment to a file: Electron's crash reporter, Node's reports,
 * snapshots and core dumps.
 */
const WRITERS =
  /crashReporter|process\.report|--report-|--diagnostic-dir|--abort-on-uncaught|[hH]eap-?[sS]nap|--(?:heap|cpu)-prof/;

/** All files that run, and the files that start or package them. */
const files = [
  ...readdirSync('electron', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|cjs)$/.test(name))
    .map((name) => join('electron', name)),
  'package.json',
  'electron-builder.yml',
  'electron.vite.config.ts',
];

it('writes no crash dump, report or snapshot of memory', () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => WRITERS.test(readFileSync(file, 'utf8')))).toEqual([]);
});

it.each([
  "crashReporter.start({ submitURL: '' })",
  'process.report.writeReport()',
  'node --report-on-fatalerror main.js',
  "import { writeHeapSnapshot } from 'node:v8'",
])('finds %s', (source) => {
  expect(WRITERS.test(source)).toBe(true);
});
