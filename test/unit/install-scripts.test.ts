import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Packages with install scripts. electron-winstaller serves Squirrel, which isn't built. */
const withInstallScript = ['node_modules/electron-winstaller'];

const lockedPackage = z.object({
  hasInstallScript: z.boolean().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
});
const read = <Value>(path: string, schema: z.ZodType<Value>) =>
  schema.parse(JSON.parse(readFileSync(path, 'utf8')));
const { packages } = read(
  'package-lock.json',
  z.object({ packages: z.record(z.string(), lockedPackage) }),
);
const manifest = read(
  'package.json',
  z.object({
    scripts: z.record(z.string(), z.string()),
    allowScripts: z.record(z.string(), z.boolean()),
  }),
);

test('denies the install script of every package that has one', () => {
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  expect(withScript).toEqual(withInstallScript);
  expect(manifest.allowScripts).toEqual({ 'electron-winstaller': false });
});

test('runs no install script of Gatehouse itself', () => {
  const atInstall = /^(?:pre|post)?(?:install|prepare|publish)$|^dependencies$/;
  expect(Object.keys(manifest.scripts).filter((name) => atInstall.test(name))).toEqual([]);
});

test('installs every package from the configured registry, with a hash', () => {
  const loose = Object.entries(packages).filter(
    ([path, { resolved, integrity, link }]) =>
      path !== '' && (resolved !== undefined || link || !integrity?.startsWith('sha512-')),
  );
  expect(loose.map(([path]) => path)).toEqual([]);
});
