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
});
