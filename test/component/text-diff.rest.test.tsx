import { afterEach, describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { TextDiff, useDiffView } from '../../renderer/run/compare/text-diff/text-diff.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

afterEach(() => {
  vi.restoreAllMocks();
  useDiffView.setState({ layout: 'side-by-side', unit: 'json' });
});

const named = (first: string, second: string) => ({
  first: { name: 'demo-chat', text: first },
  second: { name: 'demo-fast', text: second },
});
const stories = named(
  'A red fox runs.\nIt is late, and the moon is out.\nNobody sees it.',
  'A brown fox runs.\nIt is late, and the moon is out.\nNobody at all sees it.',
);

function marks(container: Element, name: 'del' | 'ins'): (string | null)[] {
  return [...container.querySelectorAll(`[data-change] ${name}, ${name}[data-change]`)].map(
    ({ textContent }) => textContent,
  );
}

describe('the words of two texts', () => {
  test.each([
    ['identical', 'The texts are identical.'],
    ['identical ', 'Only whitespace differs.'],
  ])('reports equal texts: “%s”', async (second, words) => {
    const screen = await render(<TextDiff {...named('identical', second)} />);
    await expect.element(screen.getByText(words)).toBeVisible();
    const next = screen.getByRole('button', { name: 'Next difference' });
    await expect.element(next).toHaveAttribute('aria-disabled', 'true');
  });

  test('scrolls to a difference in a long text', async () => {
    const lines = Array.from({ length: 1500 }, (_, at) => `Line ${at} has some words in it.`);
    const [first, second] = [lines.join('\n'), `${lines.join('\n')} At last.`];
    const screen = await render(
      <div style={{ height: 400, overflow: 'auto' }}>
        <TextDiff {...named(first, second)} />
      </div>,
    );
    await screen.getByRole('button', { name: 'Next difference' }).click();
    const mark = () => screen.container.querySelector<HTMLElement>('ins[data-change]');
    await expect.poll(() => mark()?.textContent).toBe('At last.');
    await expect.element(mark()).toBeInViewport();
  });
});

test('shows an error and retries', async () => {
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (this: Worker) {
    this.dispatchEvent(new ErrorEvent('error', { message: 'The worker ended.' }));
  });
  const screen = await render(<TextDiff {...stories} />);
  await expect
    .element(screen.getByRole('alert'))
    .toMatchTextContent(/^The texts couldn’t be compared\./);
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.element(screen.getByText('+3 −1 words')).toBeVisible();
});

describe('two JSON texts', () => {
  const values = named('```json\n{"a": 1, "b": [1, 2]}\n```', '{"b": [1, 2, 3], "a": 2}');

  test('compares JSON by field, or by word on request', async () => {
    const screen = await render(<TextDiff {...values} />);
    await expect.element(screen.getByText('1 changed, 1 added')).toBeVisible();
    expect(marks(screen.container, 'del')).toEqual(['1']);
    expect(marks(screen.container, 'ins')).toEqual(['2', '3']);
    await expect.element(screen.getByText('b[2] added')).toBeVisible();
    await screen.getByRole('button', { name: 'Next difference' }).click();
    await expect
      .element(screen.getByRole('status'))
      .toHaveTextContent('Difference 1 of 2: a: removed 1, added 2');
    await screen.getByRole('radio', { name: 'Words' }).click();
    await expect.element(screen.getByText(/−\d+ words/)).toBeVisible();
  });
});
