import { expect, it } from 'vitest';
import { createOutputStem } from '../../shared/output-name.ts';

const at = new Date(2026, 10, 21, 23, 4, 6);

it.each([
  ['A gatehouse in the rain, at dusk.', 'a-gatehouse-in-the-rain-at-dusk-2026-11-21-230406'],
  ['Überraschung: 東京 ☂', 'überraschung-東京-2026-11-21-230406'],
  ['../../etc/passwd\n', 'etc-passwd-2026-11-21-230406'],
  ['', 'image-2026-11-21-230406'],
  ['!!!', 'image-2026-11-21-230406'],
])('names an output with prompt %j by the prompt and time', (prompt, stem) => {
  expect(createOutputStem(prompt, at, 'image')).toBe(stem);
});

it('keeps whole words of a long prompt, and cuts one endless word', () => {
  expect(createOutputStem('word '.repeat(40), at, 'image')).toMatch(/^(word-){9}2026/);
  expect(createOutputStem('x'.repeat(500), at, 'image')).toBe(
    `${'x'.repeat(48)}-2026-11-21-230406`,
  );
});
