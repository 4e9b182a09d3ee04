import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';

/** Returns the LaTeX source of the rendered formulas. */
function drawn(container: HTMLElement): (string | null)[] {
  return [...container.querySelectorAll('.katex annotation')].map(({ textContent }) => textContent);
}

it('shows the source of an invalid formula, with the reason', async () => {
  const screen = await render(<Markdown text={'A $\\frac{1}$ and $\\nonsense$.'} />);
  const source = screen.getByText('$\\frac{1}$');
  await expect.element(source).toHaveAttribute('title', expect.stringMatching(/KaTeX/));
  await expect.element(screen.getByText('$\\nonsense$')).toBeVisible();
});

it('renders the same when streamed, and never half a block', async () => {
  const text = 'So $a_1 * b$:\n\n$$\n\\frac{a}{b}\n$$\n\nEnd.';
  const streamed = await render(<Markdown text="" streaming />);
  for (let end = 1; end <= text.length; end += 1) {
    await streamed.rerender(<Markdown text={text.slice(0, end)} streaming />);
    expect(streamed.container.querySelector('[title]')).toBeNull();
  }
  await streamed.rerender(<Markdown text={text} />);
  const whole = await render(<Markdown text={text} />);
  await expect.poll(() => drawn(streamed.container)).toEqual(['a_1 * b', '\\frac{a}{b}']);
  await expect.poll(() => whole.container.innerHTML).toBe(streamed.container.innerHTML);
});

it('stops rendering a formula that expands endlessly', async () => {
  const text = '$\\def\\a{\\a\\a}\\a$ then $x$';
  const { container } = await render(<Markdown text={text} />);
  await expect.poll(() => drawn(container)).toEqual(['x']);
  await expect.poll(() => container.querySelector('[title]')).not.toBeNull();
});

it('copies a formula as LaTeX', async () => {
  const { container } = await render(<Markdown text={'An $x^2$ here.'} />);
  await expect.poll(() => drawn(container)).toEqual(['x^2']);
  const data = new DataTransfer();
  getSelection()?.selectAllChildren(container);
  const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true });
  container.dispatchEvent(event);
  expect(data.getData('text/plain')).toContain('An $x^2$ here.');
});
