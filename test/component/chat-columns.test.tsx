import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { useChat } from '../../renderer/features/chat/chat-store.ts';
import { startConversation } from '../../renderer/features/chat/conversations/conversation-settings.ts';
import { variantForm } from '../../renderer/run/compare/variant-form.ts';
import {
  changeVariant,
  getVariants,
  removeVariant,
  setComparing,
} from '../../renderer/run/compare/variants.ts';
import { conversationForm } from '../../renderer/run/form/panel-forms.ts';
import { appError } from '../../shared/errors.ts';
import {
  compared,
  conversations,
  moveRun,
  requests,
  retried,
  settleAnswer,
} from './chat-fake-main.ts';
import { choice, openReadyChat, resetChat } from './chat-fixtures.tsx';

beforeEach(() => resetChat({ listOpen: false }));

/** A new conversation with two columns: the form's model, and another that is cooler. */
async function openColumns() {
  const chat = await openReadyChat();
  const form = conversationForm(null);
  setComparing(form, true);
  const [, second] = getVariants(form.state.getState().values.variants);
  variantForm(form, second?.id ?? '').change({
    connectionId: 'demo',
    models: { demo: 'demo-other' },
    parameters: { temperature: 0.2 },
  });
  await expect.element(chat.screen.getByRole('group', { name: 'demo-other' })).toBeVisible();
  const send = async (text: string) => {
    const turns = compared.length;
    await chat.message.fill(text);
    await chat.button('Run').click();
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

it('sends each message to every column, below its own last answer', async () => {
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

  await send('And now?');
  const [first, second] = compared[1]?.variants ?? [];
  expect(compared[1]?.parents).toEqual({
    [first?.id ?? '']: answersOf('demo-echo')[0]?.id,
    [second?.id ?? '']: answersOf('demo-other')[0]?.id,
  });
  expect(compared[1]?.comparisonId).not.toBeNull();
  await expect.element(column('demo-other').getByText('And now?')).toBeVisible();
});

it('skips an excluded column', async () => {
  const { send, column, exchange } = await openColumns();
  await exchange('Hello');
  const form = conversationForm(useChat.getState().selectedId);
  const [, second] = getVariants(form.state.getState().values.variants);
  changeVariant(form, second?.id ?? '', { excluded: true });
  await expect.element(column('demo-other').getByText('Excluded')).toBeVisible();
  await send('Only you');
  expect(compared[1]?.variants).toMatchObject([{ request: { model: 'demo-echo' } }]);
});

it('includes an excluded column and restores a removed one', async () => {
  const { send, column, exchange } = await openColumns();
  await exchange('Hello');
  const form = conversationForm(useChat.getState().selectedId);
  const [first, second] = getVariants(form.state.getState().values.variants);
  changeVariant(form, first?.id ?? '', { excluded: true });
  removeVariant(form, second?.id ?? '');
  await expect.element(column('demo-other').getByText('Removed')).toBeVisible();
  await column('demo-echo').getByRole('button', { name: 'Include demo-echo' }).click();
  await expect.element(column('demo-echo').getByText('Excluded')).not.toBeInTheDocument();
  column('demo-other')
    .getByRole('button', { name: 'Restore demo-other · temperature 0.2' })
    .element()
    .focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(column('demo-other').getByText('Removed')).not.toBeInTheDocument();
  await send('And now?');
  const [one, two] = compared[0]?.variants ?? [];
  expect(compared[1]?.variants).toMatchObject([
    { id: one?.id, request: one?.request },
    { id: two?.id, connectionId: two?.connectionId, request: two?.request },
  ]);
  expect(compared[1]?.parents[two?.id ?? '']).toBe(answersOf('demo-other')[0]?.id);
});

it('hides an error and names in blind columns, and shows a stopped answer as stopped', async () => {
  const { send, screen } = await openColumns();
  await send('Hello');
  const message = 'The model demo-other does not exist.';
  moveRun(runOf('demo-echo'), choice('Half'), { status: 'cancelled' });
  moveRun(
    runOf('demo-other'),
    {},
    {
      ...{ status: 'failed', error: appError('not-found', message, 'Choose another.') },
    },
  );
  const comparison = screen.getByRole('region', { name: 'Comparison' });
  await expect.element(comparison.getByText(message)).toBeVisible();
  await expect.element(comparison.getByText('Stopped. Partial answer kept.')).toBeVisible();
  await comparison.getByRole('switch', { name: 'Blind' }).click();
  await expect.element(comparison.getByRole('group', { name: 'A', exact: true })).toBeVisible();
  await expect.element(comparison.getByText('This request failed.')).toBeVisible();
  await expect.element(comparison.getByText('Stopped. Partial answer kept.')).toBeVisible();
  expect(comparison.element().textContent).not.toMatch(/demo-|\d ms|\d s\b/);
});

it('continues a column with the picked choice', async () => {
  const { send, column, exchange } = await openColumns();
  const form = conversationForm(null);
  const [, second] = getVariants(form.state.getState().values.variants);
  variantForm(form, second?.id ?? '').change({ parameters: { n: 2 } });
  await exchange('Hello');
  const choices = column('demo-other').getByRole('region', { name: 'Choices' });
  await choices.getByRole('tab', { name: 'Choice 2' }).click();
  await choices.getByRole('button', { name: 'Continue from choice 2' }).click();
  await expect.element(choices.getByText('Conversation continues from this choice')).toBeVisible();
  await send('More');
  const [other] = Object.values(compared[1]?.parents ?? {}).slice(-1);
  expect(other).toBe(answersOf('demo-other')[1]?.id);
});

it('retries an answer in its column', async () => {
  const { column, exchange } = await openColumns();
  await exchange('Hello');
  const answer = column('demo-other').getByRole('article', { name: 'assistant' });
  await answer.getByRole('button', { name: 'Retry' }).click();
  expect(retried).toEqual([1]);
});

it('sends tool results only in their column', async () => {
  const { send, column, button } = await openColumns();
  await send('The weather?');
  settleAnswer(runOf('demo-echo'), { content: 'Fine' });
  const call = { name: 'get_weather', arguments: '{}' };
  settleAnswer(runOf('demo-other'), {
    toolCalls: [{ id: 'call_1', type: 'function', function: call }],
  });
  const form = column('demo-other').getByRole('form', { name: 'Tool results for demo-other' });
  await form.getByRole('textbox', { name: 'Result for get_weather' }).fill('4 °C');
  await button('Run with this result').click();
  await expect.poll(() => compared.length).toBe(2);
  expect(compared[1]).toMatchObject({
    variants: [{ request: { model: 'demo-other' } }],
    message: { role: 'tool', content: '4 °C', toolCallId: 'call_1' },
  });
  expect(Object.values(compared[1]?.parents ?? {})).toEqual([answersOf('demo-other')[0]?.id]);
});

it('continues with one column, with Undo', async () => {
  const { screen, column, button, message, exchange } = await openColumns();
  await exchange('Hello');
  await column('demo-other').getByRole('button', { name: 'Continue with this model' }).click();
  const comparison = screen.getByRole('region', { name: 'Comparison' });
  await expect.element(comparison).not.toBeInTheDocument();
  await expect.element(message).toBeVisible();
  const form = conversationForm(useChat.getState().selectedId);
  expect(form.state.getState().values).toMatchObject({
    models: { demo: 'demo-other' },
    parameters: { temperature: 0.2 },
    comparing: false,
  });
  const [first] = getVariants(form.state.getState().values.variants);
  const own = variantForm(form, first?.id ?? '').state.getState().values;
  expect(own).toMatchObject({ models: { demo: 'demo-echo' }, parameters: {} });
  const [conversation] = [...conversations.values()];
  expect(conversation?.activeLeafId).toBe(answersOf('demo-other')[0]?.id);
  await button('Undo').click();
  await expect.element(column('demo-other')).toBeVisible();
});

it('keeps the variants in a new conversation', async () => {
  const { send } = await openColumns();
  conversationForm(null).change({ parameters: { n: 1 }, models: { demo: 'demo-chat' } });
  await send('Hello');
  const { selectedId } = useChat.getState();
  const compared = conversationForm(selectedId);
  const [first] = getVariants(compared.state.getState().values.variants);
  changeVariant(compared, first?.id ?? '', { name: 'Mine' });
  const { variants, models, parameters } = compared.state.getState().values;
  startConversation();
  expect(useChat.getState().selectedId).toBeNull();
  expect(conversationForm(null).state.getState().values).toMatchObject({
    ...{ comparing: true, comparisonId: null, variants, models, parameters },
  });

  setComparing(compared, false);
  useChat.setState({ selectedId });
  setComparing(conversationForm(null), false);
  startConversation();
  expect(conversationForm(null).state.getState().values).toMatchObject({
    ...{ comparing: false, models: {}, parameters: {} },
  });
});

it.each([
  [960, 2],
  [1360, 1],
  [1920, 1],
])('keeps the summary apart from the tools at %i pixels, in up to %i rows', async (width, rows) => {
  await page.viewport(width, 860);
  useChat.setState({ listOpen: true });
  const { send, screen, button } = await openColumns();
  await send('Hello');
  moveRun(runOf('demo-echo'), {}, { status: 'failed' });
  const summary = screen.getByText('1 of 2 requests done · 1 failed');
  await expect.element(summary).toBeVisible();
  await expect.element(button('Retry failed')).toBeVisible();
  const boxOf = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect();
  const { right, bottom } = boxOf(summary.element());
  const tools = boxOf(screen.getByRole('button', { name: 'Diff' }).element().parentElement);
  const frame = boxOf(screen.getByRole('region', { name: 'Comparison' }).element());
  expect(tools.left > right || tools.top >= bottom).toBe(true);
  expect(tools.right).toBeGreaterThan(frame.right - 40);
  if (rows === 1) expect(tools.top).toBeLessThan(bottom);
});

it('counts the answers of each column that match their schema among the metrics', async () => {
  const { send, screen } = await openColumns();
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const answer = async (text: string, one: string, two: string) => {
    await send(text);
    for (const [model, content] of [
      ['demo-echo', one],
      ['demo-other', two],
    ] as const) {
      requests.set(runOf(model), {
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
      });
      settleAnswer(runOf(model), { content });
      moveRun(runOf(model), {}, { status: 'succeeded', finishedAt: 10 });
    }
  };
  await answer('First', '{"n":1}', '{"n":1}');
  await answer('Second', '{"n":2}', 'Two');
  await screen.getByRole('radio', { name: 'Metrics' }).click();
  const table = screen.getByRole('table', { name: 'Metrics' });
  await expect.element(table.getByRole('columnheader', { name: 'Valid' })).toBeVisible();
  await expect
    .element(table.getByRole('row', { name: /demo-echo/ }))
    .toMatchTextContent(/2 of 2.*2 of 2/);
  await expect
    .element(table.getByRole('row', { name: /demo-other/ }))
    .toMatchTextContent(/2 of 2.*1 of 2/);
});
