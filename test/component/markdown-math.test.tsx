import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';

/** Returns the LaTeX source of the rendered formulas. */
function drawn(container: HTMLElement): (string | null)[] {
  return [...container.querySelectorAll('.katex annotation')].map(({ textContent }) => textContent);
}

it('renders each kind of formula, in text and as a block', async () => {
  const text = 'An $x^2$, \\(y\\), $5 and $6.\n\n$$\na\n= b\n$$\n\n\\[ c \\]\n\n```math\nd\n```\n';
  const { container } = await render(<Markdown text={text} />);
  await expect.poll(() => drawn(container)).toEqual(['x^2', 'y', 'a\n= b', 'c', 'd']);
  expect(container.querySelectorAll('.katex-display').length).toBe(3);
  expect(container.textContent).toContain('$5 and $6.');
});

it('ignores formula commands that load external resources', async () => {
  const formulas = [
    '$\\href{javascript:window.hacked=1}{x}$',
    '$\\url{https://127.0.0.1:9/}$',
    '$\\includegraphics{https://127.0.0.1:9/a.png}$',
    '$\\htmlData{x=1}{a}\\htmlStyle{color:red}{b}\\htmlClass{c}{d}$',
    '$\\text{<img src=x onerror=window.hacked=1>}$',
  ];
  const { container } = await render(<Markdown text={formulas.join('\n\n')} />);
  const isRead = (formula: Element) => formula.querySelector('.katex, [title]') !== null;
  await expect.poll(() => [...container.querySelectorAll('p')].filter(isRead).length).toBe(5);
  expect(container.querySelector('a, img, script, [data-x], .c')).toBeNull();
  expect(window).not.toHaveProperty('hacked');
});
