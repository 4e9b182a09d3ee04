import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);
const locked = new Set(
  Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)),
);

// npm silently drops a platform's build if the registry lacks it, and `npm ci` then fails on that
// platform.
it('lists every platform build that a native package declares', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !locked.has(name))
      .map((name) => `${path} → ${name}`),
  );
  expect(missing).toEqual([]);
});

it.each(
  '@biomejs/cli @rolldown/binding @typescript/typescript lightningcss @oxc-parser/binding'.split(
    ' ',
  ),
)('lists %s for Linux, macOS and Windows', (prefix) => {
  for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']) {
    const names = [...locked].filter((name) => name?.startsWith(`${prefix}-${platform}`));
    expect(names, `${prefix}-${platform}`).not.toEqual([]);
  }
});
