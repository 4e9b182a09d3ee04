import { afterEach, expect, it, vi } from 'vitest';

const loads = vi.hoisted((): string[] => []);

vi.mock('highlight.js/lib/common', async (importOriginal) => {
  loads.push('languages');
  return await importOriginal<typeof import('highlight.js/lib/common')>();
});

import {
  highlight,
  highlightWords,
  loadHighlighter,
} from '../../renderer/ui/markdown/highlight.ts';

afterEach(() => vi.unstubAllGlobals());

it('loads no grammar for an unknown language', async () => {
  expect(await highlight('graph TD', 'mermaid')).toBeNull();
  expect(loads).toEqual([]);
});

it('waits for an idle page before loading the languages', async () => {
  const idle = Promise.withResolvers<() => void>();
  vi.stubGlobal('requestIdleCallback', idle.resolve);
  const lines = highlight('const a = 1;', 'TS');
  const resume = await idle.promise;
  expect(loads).toEqual([]);
  resume();
  expect((await lines)?.flat()[0]).toEqual({ text: 'const', scope: 'keyword' });
  expect(loads).toEqual(['languages']);
});

it('recognizes each name and alias of the loaded languages', async () => {
  const hljs = await loadHighlighter();
  const names = hljs.listLanguages().filter((name) => name !== 'plaintext');
  for (const name of names) {
    const aliases = hljs.getLanguage(name)?.aliases ?? [];
    for (const word of [name, ...aliases]) expect(highlightWords).toContain(word.toLowerCase());
  }
  for (const word of highlightWords) expect(hljs.getLanguage(word)).toBeDefined();
});
