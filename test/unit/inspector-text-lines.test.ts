import { expect, test } from 'vitest';
import { splitTextLines } from '../../renderer/run/body/text-pane.tsx';

test('numbers lines and splits a very long one into rows', () => {
  const lines = splitTextLines(`a\n${'b'.repeat(4100)}\nc`);
  const rows = lines.map(({ number, text }) => `${number} ${text.length}`);
  expect(rows).toEqual(['1 1', '2 2000', 'null 2000', 'null 100', '3 1']);
});
