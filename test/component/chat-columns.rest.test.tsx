import { beforeEach, expect, it } from 'vitest';

import {
  selectConversation,
  useChat,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import { startConversation } from '../../renderer/features/chat/conversation/conversation-settings.ts';
import { getVariantForm } from '../../renderer/run/compare/variant-form.ts';
import { changeVariant, getVariants, setComparing } from '../../renderer/run/compare/variants.ts';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { getParamValues } from '../../shared/param.ts';
import { retried } from './chat-fake-comparisons.ts';
import { compared } from './chat-fake-conversations.ts';
import { moveRun, settleAnswer } from './chat-fake-runs.ts';
import { addConversation, conversations, requests } from './chat-fake-state.ts';
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

it('skips an excluded column until it is included again', async () => {
  const { send, column, exchange } = await openColumns();
  await exchange('Hello');
  const form = getConversationForm(useChat.getState().selectedId);
  changeVariant(form, compared[0]?.variants[0]?.id ?? '', { excluded: true });
  await expect.element(column('demo-echo').getByText('Excluded')).toBeVisible();
  await send('Only you');
  expect(compared[1]?.variants).toMatchObject([{ request: { model: 'demo-other' } }]);
  settleAnswer(runOf('demo-other'), { content: 'Two' });
  await column('demo-echo').getByRole('button', { name: 'Include demo-echo' }).click();
  await expect.element(column('demo-echo').getByText('Excluded')).not.toBeInTheDocument();
});

it('continues a column with the picked choice, retries it, and continues with only that column', async () => {
  const { screen, send, column, button, exchange } = await openColumns();
  const [, second] = getVariants(getConversationForm(null).state.getState().values.variants);
  getVariantForm(getConversationForm(null), second?.id ?? '').change({
    params: { n: { value: 2 } },
  });
  await exchange('Hello');
  const choices = column('demo-other').getByRole('region', { name: 'Choices' });
  await choices.getByRole('tab', { name: 'Choice 2' }).click();
  await choices.getByRole('button', { name: 'Continue from choice 2' }).click();
  await expect.element(choices.getByText('Conversation continues from this choice')).toBeVisible();
  await column('demo-echo').getByRole('button', { name: 'Retry' }).click();
  expect(retried).toEqual([0]);

  await column('demo-other').getByRole('button', { name: 'Continue with this model' }).click();
  const comparison = screen.getByRole('region', { name: 'Comparison' });
  await expect.element(comparison).not.toBeInTheDocument();
  const form = getConversationForm(useChat.getState().selectedId);
  expect(form.state.getState().values).toMatchObject({
    models: { demo: 'demo-other' },
    params: { n: { value: 2 } },
    comparing: false,
  });
  const [first] = getVariants(form.state.getState().values.variants);
  const own = getVariantForm(form, first?.id ?? '').state.getState().values;
  expect(own.models).toEqual({ demo: 'demo-echo' });
  expect(getParamValues(own.params)).toEqual({});
  const [conversation] = [...conversations.values()];
  expect(conversation?.activeLeafId).toBe(answersOf('demo-other')[1]?.id);
  await button('Undo').click();
  await expect.element(column('demo-other')).toBeVisible();
  await send('More');
  expect(Object.values(compared[1]?.parents ?? {}).at(-1)).toBe(answersOf('demo-other')[1]?.id);
});

it('starts columns at the question, and ends them in aligned metrics', async () => {
  const { send, column } = await openColumns();
  const long = Array.from({ length: 80 }, (_, line) => `Line ${line}`).join('\n\n');
  await send('Tell me more');
  moveRun(runOf('demo-echo'), choice(long));
  moveRun(runOf('demo-other'), choice(`${long}\n\n${long}`));
  const labels = ['First token', 'Total time', 'Output', 'Cost'];
  const places = [];
  for (const name of ['demo-echo', 'demo-other']) {
    await expect.element(column(name)).toMatchTextContent(/Line 79/);
    await expect.element(column(name).getByText('Tell me more')).toBeInViewport();
    const metrics = column(name).getByRole('term').elements();
    expect(metrics.map(({ textContent }) => textContent)).toEqual(labels);
    places.push(metrics.map((label) => label.getBoundingClientRect().top));
  }
  expect(new Set(places.flat()).size).toBe(1);
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
  await button('Send this result').click();
  await expect.poll(() => compared.length).toBe(2);
  expect(compared[1]).toMatchObject({
    variants: [{ request: { model: 'demo-other' } }],
    message: { role: 'tool', content: '4 °C', toolCallId: 'call_1' },
  });
  expect(Object.values(compared[1]?.parents ?? {})).toEqual([answersOf('demo-other')[0]?.id]);
});

it('keeps the variants in a new conversation', () => {
  const { id } = addConversation([]);
  selectConversation(id);
  const compared = getConversationForm(id);
  compared.change({ params: { n: { value: 1 } }, models: { demo: 'demo-chat' } });
  setComparing(compared, true);
  const [first] = getVariants(compared.state.getState().values.variants);
  changeVariant(compared, first?.id ?? '', { name: 'Mine' });
  const { variants, models, params } = compared.state.getState().values;
  startConversation();
  expect(useChat.getState().selectedId).toBeNull();
  expect(getConversationForm(null).state.getState().values).toMatchObject({
    comparing: true,
    comparisonId: null,
    variants,
    models,
    params,
  });

  setComparing(compared, false);
  selectConversation(id);
  setComparing(getConversationForm(null), false);
  startConversation();
  expect(getConversationForm(null).state.getState().values).toMatchObject({
    comparing: false,
    models: {},
    params: {},
  });
});

it('counts answers that match their schema in each column’s metrics', async () => {
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
