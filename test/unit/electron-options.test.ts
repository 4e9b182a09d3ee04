import { expect, test } from 'vitest';
import { electronOptions } from '../e2e/fixtures/electron-options.ts';

const usual = { args: ['--use-fake-device'], root: '/gatehouse', isRoot: false, environment: {} };

test('runs with the sandbox, except as root', () => {
  expect(electronOptions(usual).chromiumSandbox).toBe(true);
  expect(electronOptions({ ...usual, isRoot: true }).chromiumSandbox).toBe(false);
  expect(electronOptions(usual).args).not.toContain('--no-sandbox');
});

test('names the folder last, after every switch', () => {
  const { args } = electronOptions(usual);
  expect(args.at(-1)).toBe('/gatehouse');
  expect(args.slice(0, -1).every((arg) => arg.startsWith('--'))).toBe(true);
  expect(args).toContain('--use-fake-device');
});

test('asks no keyring of the system, and opens no dialog for a download', () => {
  const { acceptDownloads, args } = electronOptions(usual);
  expect(args).toEqual(expect.arrayContaining(['--password-store=basic', '--use-mock-keychain']));
  expect(acceptDownloads).toBe(true);
});

test('does not run Electron as Node, and passes no undefined variables', () => {
  const environment = { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '-r x', A: 'a', B: undefined };
  expect(electronOptions({ ...usual, environment }).env).toEqual({ A: 'a' });
});
