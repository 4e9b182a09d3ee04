/** Limits the DOM nodes of long texts, because every node slows down each frame. */
import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';

import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';
import './chat-fake-main.ts';

function nodesIn(root: Node): number {
  const walker = document.createTreeWalker(root);
  let count = 0;
  while (walker.nextNode() !== null) count += 1;
  return count;
}

it('uses two nodes per paragraph, list item or code line of a long text', async () => {
  const size = 500;
  const lines = (line: (at: number) => string) => Array.from({ length: size }, (_, at) => line(at));
  const text = [
    lines((at) => `Paragraph ${at}.`).join('\n\n'),
    lines((at) => `- Item ${at}`).join('\n'),
    `\`\`\`\n${lines((at) => `Line ${at}`).join('\n')}\n\`\`\``,
  ].join('\n\n');
  const { container } = await render(<Markdown text={text} />);
  await expect.poll(() => container.querySelectorAll('p, li').length).toBeGreaterThan(2 * size - 1);
  expect(container.textContent).toContain('Line 499');
  expect(nodesIn(container)).toBeLessThan(2 * 3 * size);
});
