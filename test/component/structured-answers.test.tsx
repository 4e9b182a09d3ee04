import { beforeEach, expect, it } from 'vitest';

import { requests } from './chat-fake-main.ts';
import { openChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(() => resetChat({ listOpen: false }));

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    points: { type: 'array', items: { type: 'string' } },
  },
  required: ['title', 'points'],
};

it('marks each problem of an answer at its value, and goes there from the list', async () => {
  const points = [...Array.from({ length: 150 }, (_, at) => `Point ${at}`), 7];
  const { answers } = showExchange('Summarize', {
    content: JSON.stringify({ title: null, points }),
  });
  requests.set(answers[0]?.run?.id ?? '', {
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
  });
  const { screen, button } = await openChat();
  const list = screen.getByRole('list', { name: 'Schema problems' });
  await expect.element(list.getByRole('listitem')).toHaveLength(2);
  const tree = screen.getByRole('tree', { name: 'Answer' });
  await expect
    .element(tree.getByRole('treeitem', { name: /"title"/ }))
    .toMatchTextContent(/Expected "string"/);
  await button('/points/150').click();
  await expect.element(tree).toHaveFocus();
  const reached = () =>
    document.getElementById(tree.element().getAttribute('aria-activedescendant') ?? '');
  await expect.poll(() => reached()?.textContent).toMatch(/^7.*Expected "string"/);
  await button('Collapse all').click();
  await button('Raw').click();
  await button('/points/150').click();
  await expect.poll(() => reached()?.textContent).toMatch(/^7.*Expected "string"/);
  await button('Side by side').click();
  await expect.element(screen.getByText('{"title":null', { exact: false })).toBeVisible();
  await expect.element(tree).toBeVisible();
});

it('marks arguments that don’t fit, tools that weren’t sent and repeated IDs', async () => {
  const call = (name: string, args: string) => ({
    ...{ id: 'call_1', type: 'function' as const },
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
  await expect.element(calls.nth(1)).toMatchTextContent(/no such tool.*same ID/);
});

it('replaces the schema with a template or one made from JSON, with Undo', async () => {
  const { screen, button } = await openChat();
  await screen.getByRole('combobox', { name: 'Response format' }).selectOptions('json_schema');
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
  await dialog.getByRole('button', { name: 'Templates' }).click();
  await screen.getByRole('menuitem', { name: 'List of items' }).click();
  await button('Save').click();
  await expect.element(dialog).not.toBeInTheDocument();
  // A saved schema has no draft that Undo could restore.
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

it('goes to the place of a problem in the schema', async () => {
  const { screen, button } = await openChat();
  await screen.getByRole('combobox', { name: 'Response format' }).selectOptions('json_schema');
  const editor = screen.getByRole('textbox', { name: 'Response JSON schema' });
  await expect.element(editor).toHaveAttribute('contenteditable', 'true');
  await editor.fill('{\n"name": "a",\n"schema": {"type": "objekt"}\n}');
  await button('/schema/type').click();
  await expect
    .poll(() => editor.element().querySelector('.cm-activeLine')?.textContent)
    .toMatch(/objekt/);
});

it('shows a JSON answer that was cut off as code', async () => {
  showExchange('Summarize', { content: '{"title": "A_b_c", "po' });
  const { screen } = await openChat();
  await expect.element(screen.getByText('json', { exact: true })).toBeVisible();
});

it('counts the choices that match the schema, also those that aren’t JSON', async () => {
  const { answers } = showExchange(
    'Summarize',
    { content: '{"title":"A","points":[]}' },
    { content: '{"title":1,"points":[]}' },
    { content: 'Here is the summary.' },
  );
  requests.set(answers[0]?.run?.id ?? '', {
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
  });
  const { screen } = await openChat();
  await expect.element(screen.getByText('1 of 3 choices match the JSON schema.')).toBeVisible();
});
