import { beforeEach, expect, it, vi } from 'vitest';

import { watchRenders } from './render-watch.ts';

vi.mock('../../renderer/lib/api.ts', () => import('./chat-fake-main.ts'));

import { selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { addConversation, makeMessage, makeRun, moveRun } from './chat-fake-main.ts';
import { choice, openReadyChat, resetChat } from './chat-fixtures.tsx';

beforeEach(() => resetChat());

/** What shows the answer that streams, and the list that makes room for it. */
const ofTheAnswer = new Set([
  ...['RunLiveness', 'Liveness', 'StatusMark'],
  ...['Markdown', 'MarkdownBlocks', 'BlockGroup', 'BlockView', 'LeafBlock', 'Inline'],
  ...['Virtualizer', 'Rows', 'ListItem'],
]);

it('renders nothing but the answer while it streams and grows out of the view', async () => {
  const earlier = makeMessage({ content: 'Earlier' });
  const settled = makeMessage({
    parentId: earlier.id,
    role: 'assistant',
    run: makeRun(),
    choiceIndex: 0,
    content: 'Settled',
  });
  const question = makeMessage({ parentId: settled.id, content: 'Question' });
  const run = makeRun({ status: 'running' });
  const answer = makeMessage({ parentId: question.id, role: 'assistant', run, choiceIndex: 0 });
  selectConversation(addConversation([earlier, settled, question, answer]).id);
  moveRun(run.id, choice('Once'), { status: 'running' });
  const { screen } = await openReadyChat();
  await expect.element(screen.getByText('Once')).toBeVisible();

  const grow = async (paragraphs: number) => {
    const text = Array.from({ length: paragraphs }, (_, index) => `Paragraph ${index + 1}`);
    moveRun(run.id, choice(text.join('\n\n')));
    const last = screen.getByText(`Paragraph ${paragraphs}`, { exact: true });
    await expect.element(last).toBeInViewport();
  };
  await grow(60);
  await expect.element(screen.getByRole('button', { name: 'Record' })).toBeVisible();

  const rendered = watchRenders();
  for (let paragraphs = 61; paragraphs < 100; paragraphs += 1) await grow(paragraphs);
  // The list's own parts have no name.
  const others = [...rendered.stop().keys()].filter(
    (name) => name !== '' && !name.startsWith('Answer') && !ofTheAnswer.has(name),
  );
  expect(others).toEqual([]);
});

it('keeps what is above the end mounted, and takes clicks, while an answer streams', async () => {
  const messages = [makeMessage({ content: 'Message 0' })];
  for (let index = 1; index < 8; index += 1) {
    messages.push(
      makeMessage({ parentId: messages.at(-1)?.id ?? null, content: `Message ${index}` }),
    );
  }
  const run = makeRun({ status: 'running' });
  const answer = { parentId: messages.at(-1)?.id ?? null, run, choiceIndex: 0 };
  messages.push(makeMessage({ ...answer, role: 'assistant' }));
  selectConversation(addConversation(messages).id);
  moveRun(run.id, choice('Once'), { status: 'running' });
  const { screen } = await openReadyChat();
  const above = screen.getByText('Message 5', { exact: true });
  await expect.element(above).toBeInTheDocument();
  const element = above.element();
  for (let paragraphs = 2; paragraphs < 20; paragraphs += 1) {
    const text = Array.from({ length: paragraphs }, (_, index) => `Paragraph ${index + 1}`);
    moveRun(run.id, choice(text.join('\n\n')));
    const last = screen.getByText(`Paragraph ${paragraphs}`, { exact: true });
    await expect.element(last).toBeInViewport();
    expect(getComputedStyle(last.element()).pointerEvents).toBe('auto');
  }
  expect(above.element()).toBe(element);
});
