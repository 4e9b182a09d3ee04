import { describe, it } from 'vitest';
import { findEmphasis } from '../../renderer/ui/markdown/emphasis.ts';
import { maskMath } from '../../renderer/ui/markdown/math-rules.ts';
import { expectLinear } from '../fixtures/expect-linear.ts';

describe('Markdown takes linear time', () => {
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
