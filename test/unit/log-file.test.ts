import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getLogPath, openLogFile } from '../../electron/log-file.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';

const now = () => Date.UTC(2026, 0, 2, 3, 4, 5);
const KEY = 'sk-log-canary-0123456789';

const open = (home: string, maxBytes = 1_000_000) => openLogFile({ home, key: KEY, now, maxBytes });

const read = (home: string) => readFileSync(getLogPath(home), 'utf8');

test('writes a timed line for each message, readable only by its owner', () => {
  const home = temporaryFolder();
  const file = open(home);
  file.begin('Gatehouse 1.2.3');
  file.write('the page ended: oom');
  file.end();
  const lines = ['Gatehouse 1.2.3 started', 'the page ended: oom', 'Gatehouse ended'];
  expect(read(home)).toBe(lines.map((line) => `2026-01-02T03:04:05.000Z ${line}\n`).join(''));
  expect(statSync(getLogPath(home)).mode & 0o777).toBe(0o600);
});

test('redacts the key from the environment', () => {
  const home = temporaryFolder();
  open(home).write(`refused: Bearer ${KEY}`);
  expect(read(home)).not.toContain(KEY);
  expect(read(home)).toContain('refused: Bearer [redacted]');
});

test('keeps five files within their limit', () => {
  const home = temporaryFolder();
  const file = open(home, 300);
  for (let line = 0; line < 100; line += 1) file.write(`line ${line} ${'x'.repeat(50)}`);
  const names = readdirSync(join(home, 'logs')).toSorted();
  const earlier = [1, 2, 3, 4].map((number) => `gatehouse.${number}.log`);
  expect(names).toEqual([...earlier, 'gatehouse.log']);
  for (const name of names) {
    expect(statSync(join(home, 'logs', name)).size).toBeLessThanOrEqual(300);
  }
  expect(read(home)).toContain('line 99 ');
  expect(readFileSync(join(home, 'logs', 'gatehouse.1.log'), 'utf8')).toContain('line 96 ');
});

test('keeps a megabyte per file by default', () => {
  const home = temporaryFolder();
  const file = openLogFile({ home, key: KEY, now });
  const kilobyte = 'x'.repeat(1000 - '2026-01-02T03:04:05.000Z \n'.length);
  for (let line = 0; line < 1000; line += 1) file.write(kilobyte);
  expect(readdirSync(join(home, 'logs'))).toEqual(['gatehouse.log']);
  expect(statSync(getLogPath(home)).size).toBe(1_000_000);
  file.write('one more');
  expect(readdirSync(join(home, 'logs'))).toHaveLength(2);
});

test('reports at the next start that the last session ended abnormally', () => {
  const home = temporaryFolder();
  const start = () => {
    const file = open(home);
    file.begin('Gatehouse 1.2.3');
    return file;
  };
  start().write('about to crash');
  const second = start();
  // A second Gatehouse exits at start, so it doesn't count as a session.
  open(home).write('Another Gatehouse uses the data folder');
  second.end();
  open(home).write('a start that failed');
  start().end();
  const lines = read(home).split('\n');
  expect(lines.filter((line) => line.includes('didn’t exit cleanly'))).toHaveLength(1);
  expect(lines[2]).toContain('didn’t exit cleanly last time');
});

test('reports an abnormal end even if the session filled some or all of the files', () => {
  const said = (linesOfSession: number, ends: boolean) => {
    const home = temporaryFolder();
    const first = open(home, 300);
    first.begin('Gatehouse 1.2.3');
    for (let line = 0; line < linesOfSession; line += 1) first.write('x'.repeat(50));
    if (ends) first.end();
    open(home, 300).begin('Gatehouse 1.2.3');
    const folder = join(home, 'logs');
    const logs = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    return logs.join('').includes('didn’t exit cleanly last time');
  };
  expect(said(8, false)).toBe(true);
  expect(said(8, true)).toBe(false);
  // The oldest file, which recorded the session's start, was deleted.
  expect(said(100, false)).toBe(true);
});

test('loses only the log if its folder isn’t writable', () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'logs'), 'not a folder');
  chmodSync(join(home, 'logs'), 0o400);
  const file = open(home);
  expect(() => {
    file.begin('Gatehouse 1.2.3');
    file.write('lost');
    file.end();
  }).not.toThrow();
});
