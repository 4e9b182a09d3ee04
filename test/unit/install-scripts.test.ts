import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** What may run code of its own when it is installed, and why. */
const allowed: Record<string, string> = {
  'node_modules/electron-winstaller':
    'Of electron-builder: copies the 7-Zip of this system beside itself. Squirrel, which needs it, is not built.',
};

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
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

test('only the packages on this list run a script when they are installed', () => {
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  expect(withScript).toEqual(Object.keys(allowed));
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
