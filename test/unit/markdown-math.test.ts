import type { Token, Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { type Block, listGroups } from '../../renderer/ui/markdown/block.ts';
import { appendText, emptyDocument, show } from '../../renderer/ui/markdown/document.ts';
import { lexInline } from '../../renderer/ui/markdown/inline-lexer.ts';

/** Returns the formulas at any depth of emphasis and links. */
function findFormulas(text: string): string[] {
  const collect = (tokens: readonly Token[]): string[] =>
    tokens.flatMap((token) =>
      token.type === 'math' ? [token.raw] : collect((token as Tokens.Generic).tokens ?? []),
    );
  return collect(lexInline(text, {}));
}

function getBlocks(text: string): Block[] {
  return listGroups(show(appendText(emptyDocument, text), text, false).blocks).flat();
}

describe('formulas in text', () => {
  it.each([
    ['an $x^2$ and $y_1$', ['$x^2$', '$y_1$']],
    ['\\(a+b\\) or \\[c\\] or $$d$$', ['\\(a+b\\)', '\\[c\\]', '$$d$$']],
    ['where $f(x) = \\{a, b\\}$.', ['$f(x) = \\{a, b\\}$']],
    ['设$x$为（$y$）。', ['$x$', '$y$']],
    ['the $n$th of $k$-means', ['$n$', '$k$']],
    ['**bold $a*b$ and $c_d$ text**', ['$a*b$', '$c_d$']],
    ['*$a$*、[$b$](https://e.c)', ['$a$', '$b$']],
    ['$\\text{5\\$ or more}$', ['$\\text{5\\$ or more}$']],
    ['\\[\nx\n=\ny\n\\]', ['\\[\nx\n=\ny\n\\]']],
    ['$$\\begin{aligned}a\\\\b\\end{aligned}$$', ['$$\\begin{aligned}a\\\\b\\end{aligned}$$']],
    ['\\(\\left(\\frac{a}{b}\\right)\\)', ['\\(\\left(\\frac{a}{b}\\right)\\)']],
    ['It costs $5 and $x$ is', ['$x$']],
    ['> $1$', ['$1$']],
  ])('finds the formulas of %j', (text, formulas) => {
    expect(findFormulas(text)).toEqual(formulas);
  });

  it.each([
    '$5 and $6',
    'from $5-$10 to $7-$8',
    '($5)($6)',
    'US$5 and A$6, or 5$ and 6$',
    '$ x $ and $y $',
    '\\$x\\$ stays',
    '`$x$` and ``\\(y\\)``',
    'echo $HOME:$PATH',
    'cost $5 `a$b`',
    '$one\ntwo$',
    '$$$ and $$',
    'a $ b',
    '\\(unclosed and \\[this',
    '\\[a link\\](https://e.c)',
    '$$',
  ])('keeps %j as text', (text) => {
    expect(findFormulas(text)).toEqual([]);
  });

  it('keeps emphasis around and next to formulas', () => {
    const tokens = lexInline('*a $x*y$ b* and **c**', {});
    const read = tokens.map(({ type, raw }) => `${type}: ${raw}`);
    expect(read).toEqual(['em: *a $x*y$ b*', 'text:  and ', 'strong: **c**']);
  });
});

describe('math blocks', () => {
  it.each<[string, object[]]>([
    ['$$\nx\n\n- y\n$$\n', [{ kind: 'math', source: '\nx\n\n- y\n' }]],
    ['\\[\n# a\n\\]', [{ kind: 'math', source: '\n# a\n' }]],
    ['$$a = b\n+ c$$', [{ kind: 'math', source: 'a = b\n+ c' }]],
    ['So:\n$$\nx\n$$, then', [{ raw: 'So:\n' }, { kind: 'math' }, { raw: ', then\n' }]],
    ['$$x$$\n', [{ kind: 'leaf', raw: '$$x$$\n' }]],
    ['$$ is the PID.\n\nNext', [{ kind: 'leaf' }, { kind: 'leaf' }]],
    ['$$\nunclosed\n', [{ kind: 'math', source: '\nunclosed\n' }]],
    ['```\n$$\nx\n$$\n```', [{ kind: 'code' }]],
    ['- a\n  $$\n  x\n  $$\n- b', [{ kind: 'list' }]],
  ])('reads %j', (text, blocks) => {
    expect(getBlocks(text)).toMatchObject(blocks);
    expect(getBlocks(text)).toHaveLength(blocks.length);
  });
});
