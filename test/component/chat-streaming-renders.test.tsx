import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { addConversation, makeMessage, makeRun, moveRun } from './chat-fake-main.ts';
import { choice, openReadyChat, resetChat, showExchange } from './chat-fixtures.tsx';
import { watchRenders } from './render-watch.ts';

beforeEach(() => resetChat());

/** Components that render the streaming answer and its list. */
const ofTheAnswer = new Set([
  ...['Liveness', 'Progress', 'StatusMark'],
  ...[
    'FootnotesProvider',
    'Markdown',
    'MarkdownBlocks',
    'BlockGroup',
    'BlockView',
    'LeafBlock',
    'Inline',
  ],
  ...['Virtualizer', 'Rows', 'ListItem'],
]);

/** Waits until the list has measured a new height. */
const frames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

it('renders only the answer while it streams', async () => {
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
  await frames();

  const rendered = watchRenders();
  for (let paragraphs = 61; paragraphs < 100; paragraphs += 1) await grow(paragraphs);
  // The list's own parts have no name.
  const others = [...rendered.stop().keys()].filter(
    (name) => name !== '' && !name.startsWith('Answer') && !ofTheAnswer.has(name),
  );
  expect(others).toEqual([]);
});

it('keeps earlier messages mounted and clickable while an answer streams', async () => {
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

/** Reads that lay the page out where something has changed since the last frame. */
function watchMeasuring() {
  const ends = vi.spyOn(Element.prototype, 'scrollHeight', 'get');
  const others = [
    ...(['clientHeight', 'clientWidth', 'clientTop', 'scrollWidth'] as const).map((name) =>
      vi.spyOn(Element.prototype, name, 'get'),
    ),
    ...(['offsetHeight', 'offsetWidth', 'offsetTop', 'offsetLeft'] as const).map((name) =>
      vi.spyOn(HTMLElement.prototype, name, 'get'),
    ),
    vi.spyOn(Element.prototype, 'getBoundingClientRect'),
    vi.spyOn(Element.prototype, 'getClientRects'),
  ];
  onTestFinished(() => void vi.restoreAllMocks());
  return () => ({
    ends: ends.mock.calls.length,
    others: others.flatMap((spy) => spy.mock.calls.map(() => spy.getMockName())),
  });
}

it('reads only its end position while an answer streams', async () => {
  const run = makeRun({ status: 'running' });
  showExchange('Question', { run });
  moveRun(run.id, choice('Once'), { status: 'running' });
  const { screen } = await openReadyChat();
  const paragraphs = Array.from({ length: 60 }, (_, index) => `Paragraph ${index + 1}`);
  moveRun(run.id, choice(paragraphs.join('\n\n')));
  await expect.element(screen.getByText('Paragraph 60', { exact: true })).toBeInViewport();

  await frames();
  const measured = watchMeasuring();
  const log = screen.getByRole('log').element();
  for (let count = 61; count <= 80; count += 1) {
    paragraphs.push(`Paragraph ${count}`);
    moveRun(run.id, choice(paragraphs.join('\n\n')));
    await vi.waitFor(() => expect(log.textContent).toContain(`Paragraph ${count}`));
    await frames();
  }
  const { ends, others } = measured();
  expect(others).toEqual([]);
  expect(ends).toBeLessThanOrEqual(20);
  await expect.element(screen.getByText('Paragraph 80', { exact: true })).toBeInViewport();
});
