import { expect, it, vi } from 'vitest';
import {
  emptyMessage,
  getMessage,
  setParts,
} from '../../renderer/features/chat/composer/composer-form.ts';
import { conversationForm } from '../../renderer/run/form/panel-forms.ts';

vi.hoisted(() => vi.stubGlobal('addEventListener', () => undefined));
vi.mock('../../renderer/lib/api.ts', () => ({
  api: {
    forms: {
      get: async () => ({ revision: 1, content: { operation: 'chat', fields: {} }, names: [] }),
      change: () => new Promise(() => undefined),
    },
  },
}));

const part = () => ({ type: 'text' as const, text: 'attached' });

it('clears a sent message even if its parts were replaced by equal ones', async () => {
  const form = conversationForm('sent');
  await form.load();
  setParts(form, [part()]);
  const sent = getMessage(form);
  setParts(form, [part()]);
  emptyMessage(form, sent, form);
  expect(getMessage(form).parts).toEqual([]);
});

it('keeps a message whose parts changed', async () => {
  const form = conversationForm('changed');
  await form.load();
  setParts(form, [part()]);
  const sent = getMessage(form);
  setParts(form, [part(), part()]);
  emptyMessage(form, sent, form);
  expect(getMessage(form).parts).toHaveLength(2);
});
