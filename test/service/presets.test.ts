import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { PresetSettings } from '../../shared/saved-items.ts';
import type { HistoryFilter } from '../../shared/saved-run-filter.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const settings: PresetSettings = {
  params: {
    temperature: { value: 0.2, text: '0.20' },
    stop: { value: ['END'], as: 'stop_words' },
    stream: { off: true },
  },
  extraBody: '{"top_k": 7}',
};

const filter: HistoryFilter = {
  search: '',
  operation: null,
  model: null,
  connectionId: null,
  status: null,
  dates: { kind: 'any' },
};
const sort = { by: 'time', isDescending: true } as const;

test('replaces a preset of the same name and operation', async () => {
  const { presets } = createRouterClient(createRouter(await startTestServices())).saved;
  const saved = await presets.save({ operation: 'completion', name: ' Exact ', settings });
  expect(saved.name).toBe('Exact');
  const other = await presets.save({ operation: 'chat', name: 'Exact', settings });
  const changed = { ...settings, params: { temperature: { value: 0 } } };
  expect(await presets.save({ operation: 'completion', name: 'Exact', settings: changed })).toEqual(
    { ...saved, settings: changed },
  );
  expect(await presets.list()).toEqual([{ ...saved, settings: changed }, other]);
});

test('keeps the model, system message, tools and response format of a preset', async () => {
  const { presets } = createRouterClient(createRouter(await startTestServices())).saved;
  const whole: PresetSettings = {
    ...settings,
    model: 'gpt-5',
    systemMessage: 'Answer in JSON.',
    tools: { on: [{ id: 'tool', name: 'get_weather' }], choice: { name: 'get_weather' } },
    responseFormat: { type: 'json_object' },
  };
  const saved = await presets.save({ operation: 'chat', name: 'Extract', settings: whole });
  const older = await presets.save({ operation: 'chat', name: 'Older', settings });
  expect(await presets.list()).toEqual([saved, older]);
  expect(saved.settings).toEqual(whole);
  const empty = { ...settings, model: '' };
  await expect(presets.save({ operation: 'chat', name: 'Bad', settings: empty })).rejects.toThrow();
});

test('replaces a prompt of the same name, and restores a deleted one', async () => {
  const client = createRouterClient(createRouter(await startTestServices()));
  const { deletions } = client;
  const { prompts, remove } = client.saved;
  const saved = await prompts.save({ name: ' Greet ', text: 'Hello {{name}}' });
  expect(await prompts.save({ name: 'Greet', text: 'Hi' })).toEqual({ ...saved, text: 'Hi' });
  const { deletionId } = await remove({ id: saved.id });
  expect(await prompts.list()).toEqual([]);
  await deletions.undo({ ids: [String(deletionId)] });
  expect(await prompts.list()).toEqual([{ ...saved, text: 'Hi' }]);
  await expect(prompts.save({ name: 'Empty', text: '' })).rejects.toThrow();
});

test('replaces a tool set of the same name, and restores a deleted one', async () => {
  const client = createRouterClient(createRouter(await startTestServices()));
  const { deletions, data } = client;
  const { toolSets, remove } = client.saved;
  const weather = { id: 'tool', name: 'get_weather' };
  const saved = await toolSets.save({ name: ' Travel ', tools: [weather], mcpTools: [] });
  const changed = { tools: [weather], mcpTools: [{ serverId: 'server', name: 'search' }] };
  const { savedItems } = await data.stored();
  expect(await toolSets.save({ name: 'Travel', ...changed })).toEqual({ ...saved, ...changed });
  const { deletionId } = await remove({ id: saved.id });
  expect(await toolSets.list()).toEqual([]);
  expect((await data.stored()).savedItems).toBe(savedItems - 1);
  await toolSets.save({ name: 'Travel', tools: [weather], mcpTools: [] });
  await deletions.undo({ ids: [String(deletionId)] });
  expect(await toolSets.list()).toMatchObject([
    { name: 'Travel', tools: [weather], mcpTools: [] },
    { name: 'Travel 2', ...changed },
  ]);
  await expect(toolSets.save({ name: 'Empty', tools: [], mcpTools: [] })).rejects.toThrow();
});

test('replaces a History filter of the same name, and restores cleared filters', async () => {
  const client = createRouterClient(createRouter(await startTestServices()));
  const { deletions, data } = client;
  const { filters } = client.saved;
  const { savedItems } = await data.stored();
  const saved = await filters.save({ name: ' Slow ', filter, sort });
  const longest = { by: 'duration', isDescending: true } as const;
  const replaced = await filters.save({ name: 'Slow', filter, sort: longest });
  expect(replaced).toEqual({ ...saved, name: 'Slow', sort: longest });
  await filters.save({ name: 'Failed', filter: { ...filter, status: 'failed' }, sort });
  expect((await filters.list()).map(({ name }) => name)).toEqual(['Failed', 'Slow']);
  expect((await data.stored()).savedItems).toBe(savedItems + 2);
  const { deletionId } = await data.clear({ kind: 'everything' });
  expect(await filters.list()).toEqual([]);
  await deletions.undo({ ids: [String(deletionId)] });
  expect(await filters.list()).toContainEqual(replaced);
});

test('keeps every digit of a number in presets and tools', async () => {
  const client = createRouterClient(createRouter(await startTestServices()));
  const long = (text: string) => {
    const value = parseJson(text);
    if (!isJsonObject(value)) throw new Error('not an object');
    return value;
  };
  const value = long('{"seed":9007199254740993,"top_p":0.1000000000000000000001}');
  const schema = long('{"type":"integer","maximum":18446744073709551615}');
  await client.saved.presets.save({
    operation: 'chat',
    name: 'Long',
    settings: { ...settings, params: { metadata: { value } } },
  });
  await client.saved.tools.save({
    id: null,
    tool: { type: 'function', function: { name: 'count', parameters: schema } },
  });
  const presets = await client.saved.presets.list();
  expect(JSON.stringify(presets[0]?.settings.params.metadata?.value)).toBe(JSON.stringify(value));
  const tools = await client.saved.tools.list();
  expect(JSON.stringify(tools[0]?.tool.function.parameters)).toBe(
    '{"type":"integer","maximum":18446744073709551615}',
  );
});
