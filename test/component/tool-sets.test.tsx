import { beforeEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { conversationForm } from '../../renderer/run/form/panel-forms.ts';
import { savedTools, toolSets } from './chat-fake-main.ts';
import { openChat, resetChat } from './chat-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  resetChat({ listOpen: false });
  for (const name of ['get_time', 'get_weather', 'look_up']) {
    const tool = { type: 'function' as const, function: { name, description: `About ${name}.` } };
    savedTools.push({ id: name, tool, answer: { by: 'you' }, createdAt: 0 });
  }
});

const getToolIds = () => conversationForm(null).state.getState().values.input.options.toolIds;

async function openTools() {
  const { screen, button } = await openChat();
  await button('Tools').click();
  const use = (name: string) => screen.getByRole('switch', { name: `Use ${name}` });
  const menuItem = (name: string) => screen.getByRole('menuitem', { name });
  const openMenu = () => button('Tool sets').click();
  return { screen, button, use, menuItem, openMenu };
}

it('saves the tools that are on as a set, and turns exactly these on again', async () => {
  const { screen, button, use, menuItem, openMenu } = await openTools();
  await openMenu();
  await expect.element(menuItem('Save these as a set…')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Escape}');
  await use('get_time').click();
  await use('get_weather').click();
  await openMenu();
  await menuItem('Save these as a set…').click();
  await screen.getByRole('textbox', { name: 'Name' }).fill('Travel');
  await button('Save').click();
  await expect
    .poll(() => toolSets)
    .toMatchObject([
      { name: 'Travel', tools: [{ name: 'get_time' }, { name: 'get_weather' }], mcpTools: [] },
    ]);
  await expect.element(button('Tool sets')).toHaveFocus();

  await use('get_time').click();
  await use('look_up').click();
  await openMenu();
  await menuItem('Travel (2)').click();
  await expect.poll(getToolIds).toEqual(['get_time', 'get_weather']);
  await expect.element(use('look_up')).not.toBeChecked();
  await button('Undo').click();
  await expect.poll(getToolIds).toEqual(['get_weather', 'look_up']);
});

it('says which tools of a set were deleted, and finds a tool again by its name', async () => {
  const tools = [
    { id: 'earlier', name: 'get_time' },
    { id: 'gone', name: 'get_place' },
  ];
  toolSets.push({ id: 'set', name: 'Travel', tools, mcpTools: [] });
  const { screen, menuItem, openMenu } = await openTools();
  await openMenu();
  await menuItem('Travel (2)').click();
  await expect
    .element(screen.getByText('“Travel” turned on. Deleted since: get_place'))
    .toBeVisible();
  expect(getToolIds()).toEqual(['get_time']);
});

it('deletes a set, with Undo', async () => {
  const tools = [{ id: 'get_time', name: 'get_time' }];
  toolSets.push({ id: 'set', name: 'Travel', tools, mcpTools: [] });
  const { button, menuItem, openMenu } = await openTools();
  await openMenu();
  await menuItem('Delete a set').click();
  await menuItem('Travel').last().click();
  await expect.poll(() => toolSets).toEqual([]);
  await button('Undo').click();
  await expect.poll(() => toolSets).toHaveLength(1);
});

it('imports new and changed tools, and Undo restores the earlier ones', async () => {
  const { screen, button, use } = await openTools();
  await button('Import…').click();
  const text = screen.getByRole('textbox', { name: 'Tools' });
  await text.fill('{"a": 1}');
  await expect.element(screen.getByText(/No tools found/)).toBeVisible();
  const before = structuredClone(savedTools);
  await text.fill(
    JSON.stringify([
      { type: 'function', name: 'get_time', description: 'The time.', parameters: {} },
      { type: 'function', function: { name: 'look_up', description: 'About look_up.' } },
      { name: 'find_flight', input_schema: { type: 'object' } },
      { name: 'find_hotel', input_schema: { type: 'object' } },
      { type: 'web_search_20250305', name: 'web_search' },
    ]),
  );
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
  await button('Undo').click();
  await expect.poll(() => savedTools).toEqual(before);
  await expect.poll(getToolIds).toEqual([]);
});

it('exports the tools that are on as a list that can be imported', async () => {
  const saved: { name: string; blob: Blob }[] = [];
  let blob = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((made) => {
    if (made instanceof Blob) blob = made;
    return 'blob:saved';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, blob });
  });
  const { button, use } = await openTools();
  await expect.element(button('Export all')).toBeVisible();
  await use('look_up').click();
  await button('Export 1 tool').click();
  expect(saved.map(({ name }) => name)).toEqual(['gatehouse-tools.json']);
  const text = await saved[0]?.blob.text();
  expect(JSON.parse(text ?? '')).toEqual([savedTools[2]?.tool]);
});
