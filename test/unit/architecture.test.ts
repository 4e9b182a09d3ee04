import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSources } from '../scripts/boundaries.ts';

const root = join(import.meta.dirname, '../..');

it('gives each exported type its own name', () => {
  const places = new Map<string, string[]>();
  for (const [path, source] of readSources(root, ['electron', 'shared', 'renderer'])) {
    for (const [, name = ''] of source.matchAll(/^export (?:interface|type|class) (\w+)/gm)) {
      places.set(name, [...(places.get(name) ?? []), path]);
    }
  }
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
