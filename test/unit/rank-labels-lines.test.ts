import { describe, expect, it } from 'vitest';
import {
  buildLinePath,
  GAP_WIDTH,
  RESULT_HEIGHT,
  rankByIndex,
} from '../../renderer/run/compare/ranked/rank-lines.ts';
import { formatLabelsCsv, readLabels } from '../../renderer/run/compare/ranked/relevance-labels.ts';

describe('readLabels', () => {
  it.each([
    ['an object by index', '{"0": 3, "4": 1}'],
    ['a list in the order of the documents', '[3, null, null, null, "1"]'],
    ['objects with an index', '[{"index": 0, "label": 3}, {"index": 4, "relevance": 1}]'],
    ['a document number', '[{"document": 1, "label": 3}, {"document": 5, "label": 1}]'],
    ['CSV with an index', 'index,label\n0,3\n4,1\n'],
    ['CSV with a document number, a text and gaps', 'document;text;label\n1;"a; b";3\n2;c;\n5;d;1'],
    ['TSV with a byte order mark', '\uFEFFIndex\tRelevance\r\n0\t3\r\n4\t1'],
  ])('reads %s', (_name, content) => {
    expect(readLabels('labels', content, 5)).toEqual({ ok: true, labels: { 0: 3, 4: 1 } });
  });

  it.each([
    ['', 'labels is empty.'],
    ['{}', 'labels contains no labels.'],
    ['{"0": 3', 'labels: this isn’t valid JSON.'],
    ['{"first": 3}', 'labels: Field “first”: “first” isn’t an index (0, 1, 2, …).'],
    ['{"0": 4}', 'labels: Field “0”: the label must be 0, 1, 2 or 3.'],
    ['{"0": {"toString": null}}', 'labels: Field “0”: the label must be 0, 1, 2 or 3.'],
    [
      '[{"index": {"toString": null}}]',
      'labels: Item 1: “{"toString":null}” isn’t an index (0, 1, 2, …).',
    ],
    ['[1, true]', 'labels: Item 2: the label must be 0, 1, 2 or 3.'],
    ['[{"label": 1}]', 'labels: Item 1 has no “index” or “document”.'],
    ['[{"document": 0, "label": 1}]', 'labels: Item 1: “0” isn’t a document number (1, 2, 3, …).'],
    [
      '0,3\n4,1',
      'labels: the first row must name the columns “index” (from 0) or “document” (from 1), and “label”.',
    ],
    ['index,label\n0,3\n,2', 'labels: Row 3: “” isn’t an index (0, 1, 2, …).'],
    ['{"0": 3, "5": 1}', 'labels: index 5 is out of range: 5 documents sent, indexes start at 0.'],
    ['index,label\n0,best', 'labels: Row 2: the label must be 0, 1, 2 or 3.'],
  ])('explains the error of %j', (content, message) => {
    expect(readLabels('labels', content, 5)).toEqual({ ok: false, message });
  });

  it('formats labels in the order of the documents', () => {
    expect(formatLabelsCsv({ 10: 0, 2: 3 })).toBe('index,label\r\n2,3\r\n10,0\r\n');
  });
});

describe('buildLinePath', () => {
  const places = (...indexes: (number | null)[]) =>
    rankByIndex({ results: indexes.map((index) => ({ index, score: null, text: null })) });
  const all = { from: 0, to: 100 };
  const middle = (place: number) => (place + 0.5) * RESULT_HEIGHT;

  it('joins the first position of a document in every list', () => {
    expect([...places(4, null, 2, 4)]).toEqual([
      [4, 0],
      [2, 2],
    ]);
    const half = GAP_WIDTH / 2;
    const [from, to] = [middle(0), middle(1)];
    expect(buildLinePath(places(4, 2), places(7, 4), all)).toBe(
      `M0 ${from}C${half} ${from} ${half} ${to} ${GAP_WIDTH} ${to}`,
    );
  });

  it('returns lines that cross the drawn range or belong to only one document', () => {
    const [left, right] = [places(0, 1, 2, 3), places(3, 1, 2, 0)];
    const count = (path: string) => path.split('M').length - 1;
    expect(count(buildLinePath(left, right, all))).toBe(4);
    expect(count(buildLinePath(left, right, { from: 1, to: 2 }))).toBe(3);
    expect(count(buildLinePath(left, right, all, 2))).toBe(1);
    expect(buildLinePath(left, right, all, 9)).toBe('');
  });
});
