import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';
import { sent } from './chat-fake-conversations.ts';
import { savedTools, toolSets } from './chat-fake-saved.ts';
import { openChat, resetChat } from './chat-fixtures.tsx';

beforeEach(() => {
  resetChat({ listOpen: false });
  for (const name of ['get_time', 'get_weather', 'look_up']) {
    const tool = { type: 'function' as const, function: { name, description: `About ${name}.` } };
    savedTools.push({ id: name, tool, answer: { by: 'you' } });
  }
});

const getToolIds = () => getConversationForm(null).state.getState().values.input.options.toolIds;

async function openTools() {
  const { screen, button, add } = await openChat();
  await add('Tools…');
  const use = (name: string) => screen.getByRole('switch', { name: `Use ${name}` });
  const menuItem = (name: string) => screen.getByRole('menuitem', { name });
  const openMenu = () => button('Tool sets').click();
  return { screen, button, use, menuItem, openMenu };
}

it('turns on a set’s tools by name and names deleted ones; deletes a set with Undo', async () => {
  const tools = [
    { id: 'earlier', name: 'get_time' },
    { id: 'gone', name: 'get_place' },
  ];
  toolSets.push({ id: 'set', name: 'Travel', tools, mcpTools: [] });
  const { screen, button, menuItem, openMenu } = await openTools();
  await openMenu();
  await menuItem('Travel (2)').click();
  const deleted = screen.getByText('“Travel” turned on. Deleted since: get_place');
  await expect.element(deleted).toBeVisible();
  expect(getToolIds()).toEqual(['get_time']);
  await openMenu();
  await menuItem('Delete a set').click();
  await menuItem('Travel').last().click();
  await expect.poll(() => toolSets).toEqual([]);
  await button('Undo').last().click();
  await expect.poll(() => toolSets).toHaveLength(1);
});

it('imports new and changed tools, exports them, and restores earlier ones', async () => {
  const saved: { name: string; blob: Blob }[] = [];
  let blob = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((made) => {
    if (made instanceof Blob) blob = made;
    return 'blob:saved';
  });
  const download = vi.spyOn(HTMLAnchorElement.prototype, 'click');
  download.mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob });
  });
  onTestFinished(() => void vi.restoreAllMocks());

  const { screen, button, use } = await openTools();
  await expect.element(button('Export all')).toBeVisible();
  await button('Import…').click();
  const text = screen.getByRole('textbox', { name: 'Tools' });
  await text.fill('{"a": 1}');
  await expect.element(screen.getByText(/No tools found/)).toBeVisible();
  const before = structuredClone(savedTools);
  const schema = { type: 'object' };
  const list = [
    { type: 'function', name: 'get_time', description: 'The time.', parameters: {} },
    { type: 'function', function: { name: 'look_up', description: 'About look_up.' } },
    { name: 'find_flight', input_schema: schema },
    { name: 'find_hotel', input_schema: schema },
    { type: 'web_search_20250305', name: 'web_search' },
  ];
  await text.fill(JSON.stringify(list));
  const planned = screen.getByRole('list', { name: 'Tools to import' });
  await expect.element(planned).toMatchTextContent(/get_time.*Replaces the saved definition/);
  await expect.element(planned).toMatchTextContent(/look_up.*Already saved/);
  await expect.element(planned).toMatchTextContent(/find_flight.*New/);
  await expect.element(screen.getByText(/Skipped web_search: Not a function/)).toBeVisible();
  await screen.getByRole('checkbox', { name: 'find_hotel' }).click();
  await button('Import 3 tools').click();
  await expect.element(use('find_flight')).toBeChecked();
  await expect.element(use('get_time')).toBeChecked();
  await expect.element(use('get_weather')).not.toBeChecked();
  expect(savedTools.map(({ tool }) => tool.function.name)).not.toContain('find_hotel');
  expect(savedTools[0]?.tool.function.description).toBe('The time.');

  await button('Export 3 tools').click();
  expect(saved.map(({ name }) => name)).toEqual(['gatehouse-tools.json']);
  const exported = JSON.parse((await saved[0]?.blob.text()) ?? '');
  expect(exported).toEqual([0, 2, 3].map((at) => savedTools[at]?.tool));
  await button('Undo').click();
  await expect.poll(() => savedTools).toEqual(before);
  await expect.poll(getToolIds).toEqual([]);
});

it('sends the active tools, and a choice of one of them', async () => {
  const { screen, button, use } = await openTools();
  await use('get_time').click();
  await use('look_up').click();
  await button('Done').click();
  await button('This conversation').click();
  await screen.getByRole('combobox', { name: 'Tool choice' }).selectOptions('Only look_up');
  await screen.getByRole('textbox', { name: 'Message', exact: true }).fill('Look');
  await button('Send').click();
  await expect
    .poll(() => sent[0]?.request)
    .toMatchObject({
      tools: [{ function: { name: 'get_time' } }, { function: { name: 'look_up' } }],
      tool_choice: { type: 'function', function: { name: 'look_up' } },
    });
});
