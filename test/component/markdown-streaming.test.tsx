import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';

describe('streamed Markdown', () => {
  it('keeps the elements of finished blocks while the rest streams', async () => {
    const text = '# Start\n\n- one\n- two\n\nEnd';
    const screen = await render(<Markdown text={text} streaming />);
    const heading = screen.getByRole('heading', { name: 'Start' }).element();
    const item = screen.getByText('one').element();
    await screen.rerender(<Markdown text={`${text} of it.\n\nMore.`} streaming />);
    expect(screen.getByRole('heading', { name: 'Start' }).element()).toBe(heading);
    expect(screen.getByText('one').element()).toBe(item);
  });

  it('turns kerning off in each block with a long word, whose layout would take seconds', async () => {
    const word = 'A'.repeat(1000);
    const blocks = [
      `a ${word}`,
      `# ${word}`,
      `- **${word}**`,
      `> [${word}](https://a.test)`,
      `| a |\n|---|\n| ${word} |`,
      `<i>${word}`,
    ];
    const { container } = await render(<Markdown text={blocks.join('\n\n')} />);
    const texts = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
    const kerned: boolean[] = [];
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode as Text;
      if (!data.includes(word)) continue;
      kerned.push(parentElement === null || getComputedStyle(parentElement).fontKerning !== 'none');
    }
    expect(kerned).toEqual(blocks.map(() => false));
  });
});
