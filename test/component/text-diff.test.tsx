import { afterEach, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
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
  test('marks and counts deleted and inserted words, and moves between them with N and P', async () => {
    const screen = await render(<TextDiff {...stories} />);
    await expect.element(screen.getByText('+3 −1 words')).toBeVisible();
    expect(marks(screen.container, 'del')).toEqual(['red']);
    expect(marks(screen.container, 'ins')).toEqual(['brown', 'at all']);
    const next = screen.getByRole('button', { name: 'Next difference' });
    await next.click();
    const status = screen.getByRole('status');
    await expect
      .element(status)
      .toHaveTextContent('Difference 1 of 2: removed “red”, added “brown”');
    for (const [key, words] of [
      ['n', /^Difference 2 of 2: added “at all”$/],
      ['n', /^Difference 1 of 2/],
      ['p', /^Difference 2 of 2/],
    ] as const) {
      await userEvent.keyboard(key);
      await expect.element(status).toMatchTextContent(words);
    }
    await expect.element(next).toHaveFocus();
    await screen.getByRole('radio', { name: 'Inline' }).click();
    expect(marks(screen.container, 'del')).toEqual(['red']);
    const region = screen.getByRole('region', {
      name: 'Differences between demo-chat and demo-fast',
    });
    await expect.element(region).toMatchTextContent(/A red brown fox runs\./);
  });
});
