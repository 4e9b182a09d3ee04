import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { appendText, emptyDocument } from '../../renderer/ui/markdown/document.ts';
import { splitParagraph } from '../../renderer/ui/markdown/paragraph-runs.ts';
import { createInitialView, foldEvents } from '../../shared/run-view.ts';
import { runSummary } from '../fixtures/run-view.ts';
import { delta } from './support/chat-events.ts';

const MB = 1024 * 1024;
const LENGTH = 200_000;
const CHUNK = 100;

it.each([
  ['short paragraphs', 'Some *words* that make up a line of an answer.\n\n'],
  ['a list', '- an item of a long list with `code` in it\n'],
  ['a quote', '> a line of a long quote, one of many lines\n'],
  ['a code block', '    const answer = await model.complete(prompt);\n'],
])('frees old versions of a growing text for %s', (_, line) => {
  let document = emptyDocument;
  const grown = grow(line, (text) => {
    document = appendText(document, text);
  });
  expect(document.scannedText.length).toBeGreaterThan(LENGTH - CHUNK);
  expect(grown).toBeLessThan(5 * MB);
});

it('frees old versions of a long paragraph', () => {
  // A memoized component keeps the first string of each run, as React does with equal props.
  const kept: string[] = [];
  const grown = grow('words of a paragraph that never ends, ', (text) => {
    for (const [index, run] of splitParagraph(text).slice(0, -1).entries()) kept[index] ??= run;
  });
  expect(kept.length).toBeGreaterThan(50);
  expect(grown).toBeLessThan(5 * MB);
});

it('keeps no old version of an answer that it folds', () => {
  let view = createInitialView(runSummary({ operation: 'chat' }));
  const grown = grow('<think>why</think>Some words of an answer. ', (_, content) => {
    const seq = view.seq + 1;
    view = foldEvents(view, [{ ...delta({ content }), seq, atMs: seq }]).view;
  });
  expect(JSON.stringify(view.state).length).toBeGreaterThan(LENGTH - CHUNK);
  expect(grown).toBeLessThan(5 * MB);
});

/** Streams `line` repeatedly in chunks, and returns how many bytes of heap remain in use. */
function grow(line: string, onText: (text: string, added: string) => void): number {
  const before = usedHeap();
  let text = '';
  for (let at = 0; text.length < LENGTH; at = (at + CHUNK) % line.length) {
    // A literal would share memory, so parse a new string from JSON, like a delta.
    const added: string = JSON.parse(JSON.stringify(line.repeat(4).slice(at, at + CHUNK)));
    text += added;
    onText(text, added);
  }
  return usedHeap() - before;
}

function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
