import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { useChat } from '../../renderer/features/chat/conversation/chat-store.ts';
import { getVariantForm } from '../../renderer/run/compare/variant-form.ts';
import { getVariants, removeVariant, setComparing } from '../../renderer/run/compare/variants.ts';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { appError } from '../../shared/errors.ts';
import { compared } from './chat-fake-conversations.ts';
import { moveRun, settleAnswer } from './chat-fake-runs.ts';
import { conversations } from './chat-fake-state.ts';
import { choice, openReadyChat, resetChat } from './chat-fixtures.tsx';

beforeEach(() => resetChat({ listOpen: false }));

/** Opens a new conversation with two columns; the second has another model and temperature. */
async function openColumns() {
  const chat = await openReadyChat();
  const form = getConversationForm(null);
  setComparing(form, true);
  const [, second] = getVariants(form.state.getState().values.variants);
  getVariantForm(form, second?.id ?? '').change({
    connectionId: 'demo',
    models: { demo: 'demo-other' },
    params: { temperature: { value: 0.2 } },
  });
  await expect.element(chat.screen.getByRole('group', { name: 'demo-other' })).toBeVisible();
  const send = async (text: string) => {
    const turns = compared.length;
    await chat.message.fill(text);
    await chat.button('Send').click();
    await expect.poll(() => compared.length).toBe(turns + 1);
  };
  const exchange = async (text: string) => {
    await send(text);
    settleAnswer(runOf('demo-echo'), { content: 'One' });
    settleAnswer(runOf('demo-other'), { content: 'Two' });
  };
  const column = (name: string) =>
    chat.screen.getByRole('region', { name: 'Comparison' }).getByRole('group', { name });
  return { ...chat, send, exchange, column };
}

const messages = () => [...conversations.values()].flatMap((one) => one.messages);
const answersOf = (model: string) => messages().filter(({ run }) => run?.model === model);
const runOf = (model: string) => answersOf(model).at(-1)?.run?.id ?? '';

it('sends each message to every column, after that column’s last answer', async () => {
  const { send, column } = await openColumns();
  await send('Hello');
  expect(compared[0]).toMatchObject({
    comparisonId: null,
    variants: [{ request: { model: 'demo-echo' } }, { request: { model: 'demo-other' } }],
    message: { role: 'user', content: 'Hello' },
  });
  expect(new Set(Object.values(compared[0]?.parents ?? {}))).toEqual(new Set([null]));
  moveRun(runOf('demo-echo'), choice('From the first'));
  moveRun(runOf('demo-other'), choice('From the other'));
  await expect.element(column('demo-echo').getByText('From the first')).toBeVisible();
  await expect.element(column('demo-other').getByText('From the other')).toBeVisible();
  settleAnswer(runOf('demo-echo'), { content: 'From the first' });
  settleAnswer(runOf('demo-other'), { content: 'From the other' });

  const form = getConversationForm(useChat.getState().selectedId);
  const [one, two] = compared[0]?.variants ?? [];
  removeVariant(form, two?.id ?? '');
  await expect.element(column('demo-other').getByText('Removed')).toBeVisible();
  column('demo-other')
    .getByRole('button', { name: 'Restore demo-other · temperature 0.2' })
    .element()
    .focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(column('demo-other').getByText('Removed')).not.toBeInTheDocument();
  await send('And now?');
  expect(compared[1]?.variants).toMatchObject([
    { id: one?.id, request: one?.request },
    { id: two?.id, connectionId: two?.connectionId, request: two?.request },
  ]);
  expect(compared[1]?.parents).toEqual({
    [one?.id ?? '']: answersOf('demo-echo')[0]?.id,
    [two?.id ?? '']: answersOf('demo-other')[0]?.id,
  });
  expect(compared[1]?.comparisonId).not.toBeNull();
  await expect.element(column('demo-other').getByText('And now?')).toBeVisible();
});

it('shows failed and stopped answers apart from tools, and hides names if blind', async () => {
  useChat.setState({ listOpen: true });
  const { send, screen, button } = await openColumns();
  await send('Hello');
  const message = 'The model demo-other does not exist.';
  const error = appError('not-found', message, 'Choose another.');
  moveRun(runOf('demo-echo'), choice('Half'), { status: 'cancelled' });
  moveRun(runOf('demo-other'), {}, { status: 'failed', error });
  const comparison = screen.getByRole('region', { name: 'Comparison' });
  await expect.element(comparison.getByText(message)).toBeVisible();
  await expect.element(comparison.getByText('Stopped. Partial answer kept.')).toBeVisible();
  await expect.element(button('Retry failed')).toBeVisible();

  const summary = screen.getByText('2 of 2 requests done · 1 failed · 1 stopped');
  const boxOf = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect();
  onTestFinished(() => page.viewport(1360, 860));
  for (const [width, rows] of [
    [1920, 1],
    [1360, 1],
    [960, 2],
  ] as const) {
    await page.viewport(width, 860);
    await expect.element(summary).toBeVisible();
    const { right, bottom } = boxOf(summary.element());
    const tools = boxOf(screen.getByRole('button', { name: 'Diff' }).element().parentElement);
    expect(tools.left > right || tools.top >= bottom).toBe(true);
    expect(tools.right).toBeGreaterThan(boxOf(comparison.element()).right - 40);
    if (rows === 1) expect(tools.top).toBeLessThan(bottom);
  }

  await page.viewport(1360, 860);
  await comparison.getByRole('switch', { name: 'Blind' }).click();
  await expect.element(comparison.getByRole('group', { name: 'A', exact: true })).toBeVisible();
  await expect.element(comparison.getByText('This request failed.')).toBeVisible();
  await expect.element(comparison.getByText('Stopped. Partial answer kept.')).toBeVisible();
  expect(comparison.element().textContent).not.toMatch(/demo-|\d ms|\d s\b/);
});
