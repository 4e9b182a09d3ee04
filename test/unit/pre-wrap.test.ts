/** Rejects text from outside whose layout takes quadratic time. */

import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('turns kerning off wherever text from outside wraps in a proportional font', () => {
  const kerned = globSync('renderer/**/*.css').flatMap((path) =>
    [
      ...readFileSync(path, 'utf8').matchAll(
        /^ *([^{}]+) \{([^{}]*white-space: pre-wrap;[^{}]*)\}/gm,
      ),
    ]
      .filter(([, , rule = '']) => !/type-mono|font-kerning: none/.test(rule))
      .map(([, selector]) => `${path}: ${selector}`),
  );
  expect(kerned).toEqual([]);
});
