import { createRouterClient } from '@orpc/server';
import { expect, test } from 'vitest';
import { createChanges } from '../../electron/base/changes.ts';
import { createRouter } from '../../electron/router.ts';
import type { Services } from '../../electron/services.ts';
import { createForms } from '../../electron/storage/forms.ts';
import { UserFacingError } from '../../shared/errors.ts';
import type { FormContent } from '../../shared/form.ts';
import { getConversationFormId, toolsFormId } from '../../shared/form-fields.ts';
import { openTestStorage, temporaryFolder } from '../fixtures/data-folder.ts';
import { startTestServices } from '../fixtures/test-services.ts';

type CompletionFields = Extract<FormContent, { operation: 'completion' }>['fields'];

/** Opens a window that keeps the form from its last response. */
function openWindow(services: Services, id = 'completion') {
  const { forms } = createRouterClient(createRouter(services));
  let after: number | null = null;
  return {
    async read() {
      const update = await forms.get({ id, operation: 'completion', after });
      after = update.revision;
      return update;
    },
    async change(fields: CompletionFields, unset: string[] = []) {
      const content = { operation: 'completion' as const, fields };
      const update = await forms.change({ id, content, unset, after });
      after = update.revision;
      return update;
    },
  };
}

test('merges changes from two windows to different fields', async () => {
  const services = await startTestServices();
  const [one, other] = [openWindow(services), openWindow(services)];
  await one.change({ input: { prompt: 'Once' }, params: { temperature: { value: 0.2 } } });
  const seen = await other.change({
    input: { suffix: 'the end.' },
    params: { top_p: { value: 0.9 } },
  });
  expect(seen.content.fields).toEqual({
    input: { prompt: 'Once' },
    params: { temperature: { value: 0.2 } },
  });
  const update = await one.read();
  expect(update.content.fields).toEqual({
    input: { suffix: 'the end.' },
    params: { top_p: { value: 0.9 } },
  });
  expect(update.names.toSorted()).toEqual([
    'input.prompt',
    'input.suffix',
    'params.temperature',
    'params.top_p',
  ]);
});

test('unsets a field whose name contains dots', async () => {
  const services = await startTestServices();
  const window = openWindow(services);
  await window.change({
    models: { 'a.b': 'gpt' },
    params: { stop: { text: 'x' } },
    extraBody: '{}',
  });
  const update = await window.change({}, ['models.a.b', 'params.stop']);
  expect(update.names).toEqual(['extraBody']);
  expect((await openWindow(services).read()).content.fields).toEqual({ extraBody: '{}' });
});

test('keeps a megabyte of text across a restart', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  const prompt = 'a long text — '.repeat(80_000);
  await openWindow(services).change({ input: { prompt }, runId: 'run-1' });
  await services.close();
  const again = await startTestServices({ home });
  expect((await openWindow(again).read()).content.fields).toEqual({
    input: { prompt },
    runId: 'run-1',
  });
});

test('announces each change once, and nothing for an unchanged form', async () => {
  const services = await startTestServices();
  const stop = new AbortController();
  const heard: string[] = [];
  const listening = (async () => {
    for await (const { topic, id } of services.changes.subscribe(stop.signal)) {
      heard.push(`${topic} ${id}`);
    }
  })();
  const window = openWindow(services);
  await window.change({ input: { prompt: 'Once' } });
  const { revision } = await window.read();
  expect((await window.change({ input: { prompt: 'Once' } })).revision).toBe(revision);
  await window.change({}, ['params.never_set']);
  await openWindow(services, 'unwritten').change({}, ['params.never_set']);
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await listening;
  expect(heard).toEqual(['forms completion']);
});

test('announces a change to every page except the one that made it', async () => {
  const services = await startTestServices();
  const router = createRouter(services);
  const stop = new AbortController();
  function openPage() {
    const { forms, system } = createRouterClient(router, { context: { link: {} } });
    const heard: string[] = [];
    const listening = (async () => {
      for await (const { id } of await system.changes(undefined, { signal: stop.signal })) {
        heard.push(String(id));
      }
    })();
    const change = (id: string) =>
      forms.change({
        id,
        content: { operation: 'completion', fields: { input: { prompt: 'Once' } } },
        unset: [],
        after: null,
      });
    return { change, heard, listening };
  }
  const [one, other] = [openPage(), openPage()];
  await new Promise((resolve) => setImmediate(resolve));
  await one.change('first');
  await other.change('second');
  services.forms.remove('first');
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await Promise.all([one.listening, other.listening]);
  expect(one.heard).toEqual(['second', 'first']);
  expect(other.heard).toEqual(['first', 'first']);
});

test('clears a removed form in a window that has it open', async () => {
  const services = await startTestServices();
  const window = openWindow(services);
  await window.change({ input: { prompt: 'Once' } });
  services.forms.remove('completion');
  expect(await window.read()).toMatchObject({ revision: 0, names: [] });
  await openWindow(services).change({ input: { suffix: 'anew' } });
  expect((await window.read()).content.fields).toEqual({ input: { suffix: 'anew' } });
});

test('restores and purges a form with its conversation', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  const client = createRouterClient(createRouter(services));
  const { id } = await client.conversations.create();
  const form = { id: getConversationFormId(id), operation: 'chat' as const, after: null };
  await client.forms.change({
    ...form,
    content: { operation: 'chat', fields: { input: { text: 'Hello' } } },
    unset: [],
  });
  const { deletionId } = await client.conversations.remove({ id });
  await client.deletions.undo({ ids: [deletionId ?? ''] });
  expect(await client.forms.get(form)).toMatchObject({ names: ['input.text'] });
  await client.conversations.remove({ id });
  await services.close();
  const again = createRouterClient(createRouter(await startTestServices({ home })));
  expect(await again.forms.get(form)).toMatchObject({ revision: 0, names: [] });
});

test('restores and purges unsaved edits with their message or tool', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  const client = createRouterClient(createRouter(services));
  const { id } = await client.conversations.create();
  const add = async (parentId: string | null) => {
    const message = { role: 'user' as const, content: 'Hello' };
    const added = await client.conversations.addMessage({ conversationId: id, parentId, message });
    return added.messages[0]?.id ?? '';
  };
  const kept = await add(null);
  const deleted = await add(kept);
  const followed = await add(deleted);
  const tool = { type: 'function' as const, function: { name: 'look' } };
  const saved = await client.saved.tools.save({ id: null, tool });
  const formOf = (formId: string) => ({ id: formId, operation: 'chat' as const, after: null });
  const write = (formId: string, names: string[], results: Record<string, string> = {}) => {
    const edits = Object.fromEntries(names.map((name) => [name, { text: 'Changed' }]));
    const content = { operation: 'chat' as const, fields: { edits, results } };
    return client.forms.change({ ...formOf(formId), content, unset: [] });
  };
  await write(getConversationFormId(id), [kept, deleted, 'schema'], { [`${followed} 0`]: 'rain' });
  await write(toolsFormId, [saved.id, 'new']);

  const remove = async () => {
    const message = await client.conversations.removeMessage({
      conversationId: id,
      messageId: deleted,
    });
    return [
      message.deletionId ?? '',
      (await client.saved.remove({ id: saved.id })).deletionId ?? '',
    ];
  };
  await client.deletions.undo({ ids: await remove() });
  expect((await client.forms.get(formOf(getConversationFormId(id)))).names).toHaveLength(4);
  expect((await client.forms.get(formOf(toolsFormId))).names).toHaveLength(2);

  await remove();
  await services.close();
  const again = createRouterClient(createRouter(await startTestServices({ home })));
  const { names } = await again.forms.get(formOf(getConversationFormId(id)));
  expect(names.toSorted()).toEqual([`edits.${kept}`, 'edits.schema'].toSorted());
  expect((await again.forms.get(formOf(toolsFormId))).names).toEqual(['edits.new']);
});

test('doesn’t recreate the form of a deleted conversation', async () => {
  const services = await startTestServices();
  const client = createRouterClient(createRouter(services));
  const { id } = await client.conversations.create();
  const change = (formId: string) =>
    client.forms.change({
      id: formId,
      after: null,
      unset: [],
      content: { operation: 'chat', fields: { input: { text: 'Hello' } } },
    });
  await change(getConversationFormId(id));
  await client.conversations.remove({ id });
  await expect(change(getConversationFormId(id))).rejects.toMatchObject({
    code: 'APP_ERROR',
    data: { kind: 'not-found' },
  });
  expect((await change(getConversationFormId(null))).names).toEqual(['input.text']);
});

test('skips a field that isn’t JSON, with a notice', async () => {
  const { db, notices } = openTestStorage(temporaryFolder());
  const forms = createForms({ db, now: () => 1, changes: createChanges() });
  const fields = { input: { prompt: 'Once', suffix: 'the end.' } };
  const form = { id: 'completion', after: null };
  forms.change({ ...form, content: { operation: 'completion', fields }, unset: [] });
  db.sql("UPDATE form_fields SET value = '\"Onc' WHERE name = 'input.prompt'").run();
  const { content } = forms.get({ ...form, operation: 'completion' });
  expect(content.fields).toEqual({ input: { suffix: 'the end.' } });
  expect(notices).toMatchObject([{ id: 'unreadable-form fields', level: 'warning' }]);
});

test.each([
  ['a wrong type', { operation: 'completion', fields: { input: { prompt: 7 } } }],
  ['an unknown field', { operation: 'completion', fields: { input: { query: 'x' } } }],
  ['an unknown group', { operation: 'completion', fields: { keys: { a: 'b' } } }],
  ['an unknown operation', { operation: 'embedding', fields: {} }],
])('rejects %s', async (_what, content) => {
  const services = await startTestServices();
  const { forms } = createRouterClient(createRouter(services));
  const input = { id: 'completion', content, unset: [], after: null };
  // @ts-expect-error -- the contract must reject it at run time.
  await expect(forms.change(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('rejects an oversized field, and a form of another operation', async () => {
  const services = await startTestServices();
  const window = openWindow(services);
  await window.change({ input: { prompt: 'Once' } });
  await expect(
    window.change({ input: { suffix: 'kept?', prompt: 'x'.repeat(16_000_001) } }),
  ).rejects.toMatchObject({ code: 'APP_ERROR', data: { kind: 'invalid-request' } });
  expect(() => services.forms.get({ id: 'completion', operation: 'image', after: null })).toThrow(
    UserFacingError,
  );
  expect((await openWindow(services).read()).content.fields).toEqual({ input: { prompt: 'Once' } });
});

test('lists saved console requests by name, after two examples', async () => {
  const { saved: api } = createRouterClient(createRouter(await startTestServices()));
  const [models] = await api.requests.list();
  if (models === undefined) throw new Error('Nothing is saved.');
  const request = { ...models.request, path: '/v1/other' };
  const saved = await api.requests.save({ name: 'Mine', request: models.request });
  expect(await api.requests.save({ name: ' Mine ', request })).toEqual({ ...saved, request });
  await api.remove({ id: models.id });
  const list = await api.requests.list();
  expect(list.map(({ name, request: { path } }) => [name, path])).toEqual([
    ['Create a fine-tune', '/v1/fine-tunes'],
    ['Mine', '/v1/other'],
  ]);
});
