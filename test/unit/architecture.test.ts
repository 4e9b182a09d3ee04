import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from '../scripts/boundaries.ts';

const root = join(import.meta.dirname, '../..');
const inThisProject = /^(?:electron|shared|renderer|test|\.ci)\//;

/** Returns the project paths in backquotes. `<name>` is a placeholder. */
function pathsIn(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(' '))
    .filter((word) => inThisProject.test(word) && !word.includes('<'));
}

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (document) => {
  it('names paths that exist', () => {
    const paths = pathsIn(document);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('gives each exported type its own name', () => {
  const places = new Map<string, string[]>();
  for (const [path, source] of readSources(root, ['electron', 'shared', 'renderer'])) {
    for (const [, name = ''] of source.matchAll(/^export (?:interface|type|class) (\w+)/gm)) {
      places.set(name, [...(places.get(name) ?? []), path]);
    }
  }
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
