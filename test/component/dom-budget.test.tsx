/** Limits the DOM nodes of long texts, which every frame pays for. */
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

vi.mock('../../renderer/lib/api.ts', () => import('./chat-fake-main.ts'));

import { selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { Markdown } from '../../renderer/ui/markdown/markdown.tsx';
import { addConversation, makeMessage } from './chat-fake-main.ts';
import { openChat, resetChat } from './chat-fixtures.tsx';

function nodesIn(root: Node): number {
  const walker = document.createTreeWalker(root);
  let count = 0;
  while (walker.nextNode() !== null) count += 1;
  return count;
}

it('2,000 messages need only the nodes of those in view', async () => {
  await page.viewport(1360, 860);
  resetChat();
  const messages = [makeMessage({ content: 'Message 0' })];
  for (let index = 1; index < 2000; index += 1) {
    const content = `Message ${index}\n\n- **one**\n- two\n\n\`\`\`\ncode\n\`\`\``;
    messages.push(makeMessage({ parentId: messages.at(-1)?.id ?? null, content }));
  }
  selectConversation(addConversation(messages).id);
  const { screen } = await openChat();
  await expect.element(screen.getByText('Message 1999', { exact: false }).first()).toBeVisible();
  const log = screen.getByRole('log').element();
  await expect.poll(() => log.scrollHeight).toBeGreaterThan(100_000);
  await expect.poll(() => nodesIn(log)).toBeLessThan(400);
});

it('a long text needs two nodes per paragraph, list item or line of code', async () => {
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
