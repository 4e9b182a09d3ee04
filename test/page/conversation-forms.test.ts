import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { announceChange } from '../../renderer/lib/change-listeners.ts';
import {
  forgetConversationForm,
  getConversationForm,
} from '../../renderer/run/form/panel-forms.ts';
import type { FormQuery } from '../../shared/form.ts';

const main = vi.hoisted(() => {
  vi.stubGlobal('addEventListener', () => undefined);
  return { queries: [] as FormQuery[] };
});
vi.mock('../../renderer/lib/api.ts', () => ({
  api: {
    forms: {
      get: async (query: FormQuery) => {
        main.queries.push(query);
        return { revision: 1, content: { operation: 'chat', fields: {} }, names: [] };
      },
      change: () => new Promise(() => undefined),
    },
  },
}));

/** Opens this many other conversations in turn. */
async function showOthers(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await getConversationForm(`other-${at}`).load();
}

async function formsFetched(): Promise<number> {
  main.queries = [];
  announceChange(null);
  await nextTurn();
  return main.queries.length;
}

describe('the forms of conversations', () => {
  beforeEach(async () => void (await showOthers(20)));

  it('keeps a form in memory until many others are shown', async () => {
    const form = getConversationForm('a');
    await form.load();
    await showOthers(3);
    expect(getConversationForm('a')).toBe(form);
    await showOthers(20);
    expect(getConversationForm('a')).not.toBe(form);
    expect(await formsFetched()).toBeLessThanOrEqual(8);
  });

  it('keeps a form while it has unsaved fields', async () => {
    const form = getConversationForm('b');
    await form.load();
    form.change({ input: { text: 'Not written yet' } }, { typing: true });
    await showOthers(20);
    expect(getConversationForm('b')).toBe(form);
  });

  it('keeps unsaved text when the user undoes a deletion', async () => {
    const form = getConversationForm('c');
    await form.load();
    form.change({ input: { text: 'The last words' } }, { typing: true });
    const writeRest = forgetConversationForm('c');
    expect(form.state.getState().values.input.text).toBe('');
    expect(form.unsaved.size).toBe(0);
    await getConversationForm('c').load();
    writeRest();
    expect(form.state.getState().values.input.text).toBe('The last words');
    expect([...form.unsaved]).toEqual([['input.text', 'The last words']]);
  });

  it('keeps the form of a new conversation separately', async () => {
    const form = getConversationForm(null);
    await showOthers(20);
    expect(getConversationForm(null)).toBe(form);
  });
});
