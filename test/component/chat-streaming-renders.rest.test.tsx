import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { moveRun } from './chat-fake-runs.ts';
import { conversations, makeMessage, makeRun } from './chat-fake-state.ts';
import { choice, openReadyChat, resetChat, showExchange } from './chat-fixtures.tsx';
import { watchRenders } from './render-watch.ts';

beforeEach(() => resetChat({ listOpen: false }));

/** Components that render the streaming answer and its list. */
const ofTheAnswer = new Set([
  ...['Liveness', 'Progress', 'StatusMark', 'Virtualizer', 'Rows', 'ListItem'],
  ...['FootnotesProvider', 'Markdown', 'MarkdownBlocks', 'BlockGroup', 'BlockView'],
  ...['LeafBlock', 'Inline'],
]);

/** Waits until the list has measured a new height. */
const frames = () =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

it('renders only the answer while it streams, and keeps earlier messages clickable', async () => {
  const run = makeRun({ status: 'running' });
  const { answers } = showExchange('Earlier', { content: 'Settled' });
  const question = makeMessage({ parentId: answers[0]?.id ?? null, content: 'Question' });
  const answer = makeMessage({ parentId: question.id, role: 'assistant', run, choiceIndex: 0 });
  const [conversation = expect.fail()] = conversations.values();
  conversation.messages.push(question, answer);
  conversation.activeLeafId = answer.id;
  moveRun(run.id, choice('Once'), { status: 'running' });
  const { screen, button } = await openReadyChat();
  const above = screen.getByText('Settled', { exact: true });
  await expect.element(above).toBeVisible();
  const element = above.element();

  const grow = async (paragraphs: number) => {
    const text = Array.from({ length: paragraphs }, (_, index) => `Paragraph ${index + 1}`);
    moveRun(run.id, choice(text.join('\n\n')));
    const last = screen.getByText(`Paragraph ${paragraphs}`, { exact: true });
    await expect.element(last).toBeInViewport();
    expect(getComputedStyle(last.element()).pointerEvents).toBe('auto');
  };
  for (const paragraphs of [2, 4, 12, 20]) await grow(paragraphs);
  expect(above.element()).toBe(element);
  await expect.element(button('Record')).toBeVisible();
  await frames();

  const rendered = watchRenders();
  for (let paragraphs = 21; paragraphs < 36; paragraphs += 1) await grow(paragraphs);
  // Internal parts of the list have no name.
  const others = [...rendered.stop().keys()].filter(
    (name) => name !== '' && !name.startsWith('Answer') && !ofTheAnswer.has(name),
  );
  expect(others).toEqual([]);
});

/** Counts reads that force a layout. */
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

it('measures only its end position while an answer streams', async () => {
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
  for (let count = 61; count <= 70; count += 1) {
    paragraphs.push(`Paragraph ${count}`);
    moveRun(run.id, choice(paragraphs.join('\n\n')));
    await vi.waitFor(() => expect(log.textContent).toContain(`Paragraph ${count}`));
    await frames();
  }
  const { ends, others } = measured();
  expect(others).toEqual([]);
  expect(ends).toBeLessThanOrEqual(10);
  await expect.element(screen.getByText('Paragraph 70', { exact: true })).toBeInViewport();
});
