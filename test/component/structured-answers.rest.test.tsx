import { beforeEach, expect, it } from 'vitest';

import { defaultConversationOptions } from '../../shared/conversation.ts';
import { sent } from './chat-fake-conversations.ts';
import { moveRun } from './chat-fake-runs.ts';
import { requests } from './chat-fake-state.ts';
import {
  choice,
  lastRunId,
  openChat,
  openReadyChat,
  resetChat,
  showExchange,
} from './chat-fixtures.tsx';
import { storeFields } from './fake-forms.ts';

beforeEach(() => resetChat({ listOpen: false }));

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    points: { type: 'array', items: { type: 'string' } },
  },
  required: ['title', 'points'],
};
const responseFormat = { type: 'json_schema', json_schema: { name: 'a', schema } };

it('shows a problem of a long answer again after Collapse all and Raw', async () => {
  const points = [...Array.from({ length: 110 }, (_, at) => `Point ${at}`), 7];
  const { answers } = showExchange('Summarize', {
    content: JSON.stringify({ title: 'A', points }),
  });
  requests.set(answers[0]?.run?.id ?? '', { response_format: responseFormat });
  const { screen, button } = await openChat();
  await expect.element(button('/points/110')).toBeInViewport();
  const log = screen.getByRole('log').element();
  // The log gets the event in the next frame that it is at the end.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  log.dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: -log.scrollHeight }));
  log.scrollTop = 0;
  await expect.element(button('Jump to end')).toBeVisible();
  await button('Collapse all').click();
  await button('Raw').click();
  await button('/points/110').click();
  const tree = screen.getByRole('tree', { name: 'Answer' });
  await expect.element(tree).toHaveFocus();
  await expect
    .poll(() => tree.element().querySelector('[aria-selected=true]')?.textContent)
    .toMatch(/^7.*Expected "string"/);
});

it('marks arguments that don’t fit, unsent tools and repeated IDs', async () => {
  const call = (name: string, args: string) => ({
    id: 'call_1',
    type: 'function' as const,
    function: { name, arguments: args },
  });
  const toolCalls = [call('save', '{"title":1,"points":[]}'), call('lose', '{}')];
  const { answers } = showExchange('Save it', { toolCalls });
  requests.set(answers[0]?.run?.id ?? '', {
    tools: [{ type: 'function', function: { name: 'save', parameters: schema } }],
  });
  const { screen } = await openChat();
  const calls = screen.getByRole('list', { name: 'Tool calls' }).getByRole('listitem');
  await expect.element(calls.nth(0)).toMatchTextContent(/don’t fit the schema/);
  await expect
    .element(calls.nth(0).getByRole('treeitem', { name: /"title"/ }))
    .toMatchTextContent(/Expected "string"/);
  await expect.element(calls.nth(1)).toMatchTextContent(/wasn’t in the request.*same ID/);
});

it('replaces the schema with a template or one made from JSON, with Undo', async () => {
  const { screen, button } = await openChat();
  await button('This conversation').click();
  const format = screen.getByRole('combobox', { name: 'Response format' });
  await format.selectOptions('json_schema');
  const dialog = screen.getByRole('dialog', { name: 'Response schema' });
  await dialog.getByRole('button', { name: 'Templates' }).click();
  await screen.getByRole('menuitem', { name: 'Classify with confidence' }).click();
  await expect.element(dialog.getByText('"classification"')).toBeVisible();
  await dialog.getByRole('button', { name: 'Schema from JSON' }).click();
  const sample = screen.getByRole('dialog', { name: 'Schema from JSON' });
  await sample.getByRole('textbox', { name: 'Sample JSON' }).fill('{"city":"Oslo","rain":null}');
  await sample.getByRole('button', { name: 'Make schema' }).click();
  await expect.element(dialog.getByText('"city"').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Undo' }).first().click();
  await expect.element(dialog.getByText('"classification"')).toBeVisible();

  const editor = screen.getByRole('textbox', { name: 'Response JSON schema' });
  await editor.fill('{\n"name": "a",\n"schema": {"type": "objekt"}\n}');
  await button('/schema/type').click();
  await expect
    .poll(() => editor.element().querySelector('.cm-activeLine')?.textContent)
    .toMatch(/objekt/);
  await editor.fill('{"name": "a", "schema": {"type": "object"}}');
  await button('Save').click();
  await expect.element(dialog).not.toBeInTheDocument();
  // A saved schema has no draft that Undo could restore.
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

it('formats JSON with the raw text on request, and counts choices that match the schema', async () => {
  const source = '{"title":"Pancakes","points":["Mix","Fry"]}';
  showExchange('JSON', { content: source });
  const { screen, button, answer } = await openChat();
  await expect.element(answer).toMatchTextContent(/"title": "Pancakes"/);
  await expect.element(button('Copy answer')).toBeVisible();
  await button('Raw').click();
  await expect.element(answer.getByText(source)).toBeVisible();
  await button('Raw').click();
  await expect.element(answer).toMatchTextContent(/"title": "Pancakes"/);

  showExchange('Cut off', { content: '{"title": "A_b_c", "po' });
  await expect.element(screen.getByText('json', { exact: true })).toBeVisible();
  const contents = [source, '{"title":1,"points":[]}', 'Here is the summary.'];
  const { answers } = showExchange('Three', ...contents.map((content) => ({ content })));
  requests.set(answers[0]?.run?.id ?? '', { response_format: responseFormat });
  await expect.element(screen.getByText('1 of 3 choices match the JSON schema.')).toBeVisible();
});

it('checks an answer against its schema once it has ended', async () => {
  storeFields('new-conversation', {
    input: { options: { ...defaultConversationOptions, responseFormat } },
  });
  const { button, message, answer } = await openReadyChat();
  for (const [at, content, words] of [
    [0, '{"points":[]}', /Doesn’t match the JSON schema: 1 problem.*"title" is missing/],
    [1, '{"title":"T","points":[]}', /Matches the JSON schema\./],
    [2, 'Certainly!', /Not valid JSON: Line 1, column 1/],
  ] as const) {
    await message.fill('JSON');
    await button('Send').click();
    await expect.poll(() => sent[at]?.request.response_format).toEqual(responseFormat);
    moveRun(lastRunId(), choice(content.slice(0, -1)));
    await expect.element(answer.nth(at)).toMatchTextContent(content.slice(0, 5));
    await expect.element(answer.nth(at)).not.toMatchTextContent(/atch.* the JSON schema/);
    moveRun(lastRunId(), choice(content, { finishReason: 'stop' }), { status: 'succeeded' });
    await expect.element(answer.nth(at)).toMatchTextContent(words);
  }
});
