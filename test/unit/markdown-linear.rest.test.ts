import { describe, it } from 'vitest';
import { appendText, emptyDocument, show } from '../../renderer/ui/markdown/document.ts';
import { findEmphasis } from '../../renderer/ui/markdown/emphasis.ts';
import { maskMath } from '../../renderer/ui/markdown/math-rules.ts';
import { expectLinear } from '../fixtures/expect-linear.ts';

/** Returns a text of about `size` characters from numbered pieces. */
const repeat = (size: number, piece: (at: number) => string) =>
  Array.from({ length: size / piece(0).length }, (_, at) => piece(at)).join('');

describe('Markdown takes linear time', () => {
  it.each<[string, (at: number) => string]>([
    ['lines of one paragraph', () => 'The gate stands open.\n'],
    ['rows of tables without a head', (at) => (at % 2 === 0 ? '|-|\n' : '|-|-|\n')],
    ['blank lines of code', (at) => (at === 0 ? '    code\n' : '\n')],
    ['lines of a list', (at) => (at === 0 ? '- item\n' : '  more\n')],
    ['footnotes', (at) => `[^${at}]: note\n`],
    ['references to footnotes', (at) => `A[^${at}]\n`],
    ['link definitions', (at) => `[${at}]: https://example.com/\n`],
  ])('to scan %s', (_what, piece) =>
    expectLinear(
      400_000,
      (size) => repeat(size, piece),
      (text) => show(appendText(emptyDocument, text), text, false),
    ),
  );

  it.each(['a**b ', '*a ', '**中（', '_a*b~~', 'a**'])('to find emphasis in %j', (part) =>
    expectLinear(160_000, (size) => part.repeat(size), findEmphasis),
  );

  it.each(['$a ', '$$', '\\(', '\\[ ', '$a\\', '$x$ ', '\\(a\\) ', '`$'])(
    'to find mathematics in %j',
    (part) =>
      expectLinear(
        80_000,
        (size) => part.repeat(size),
        (text) => maskMath(text, text),
      ),
  );
});
