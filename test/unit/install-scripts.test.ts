import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Packages with install scripts. electron-winstaller is for Squirrel, which is not built. */
const withInstallScript = ['node_modules/electron-winstaller'];

const locked = z.object({
  packages: z.record(
    z.string(),
    z.object({
      hasInstallScript: z.boolean().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
    }),
  ),
});
const { packages } = locked.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
const manifest = z
  .object({
    scripts: z.record(z.string(), z.string()),
    allowScripts: z.record(z.string(), z.boolean()),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

test('denies the install script of every package that has one', () => {
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  expect(withScript).toEqual(withInstallScript);
  expect(manifest.allowScripts).toEqual({ 'electron-winstaller': false });
});

test('Gatehouse itself runs none', () => {
  const atInstall = /^(?:pre|post)?(?:install|prepare|publish)$|^dependencies$/;
  expect(Object.keys(manifest.scripts).filter((name) => atInstall.test(name))).toEqual([]);
});

test('every package comes from the registry that npm is set to, and its bytes are fixed by a hash', () => {
  const loose = Object.entries(packages).filter(
    ([path, { resolved, integrity, link }]) =>
      path !== '' && (resolved !== undefined || link || !integrity?.startsWith('sha512-')),
  );
  expect(loose.map(([path]) => path)).toEqual([]);
});
