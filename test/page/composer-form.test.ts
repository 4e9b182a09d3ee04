import { expect, it, vi } from 'vitest';
import {
  clearMessage,
  getMessage,
  setParts,
} from '../../renderer/features/chat/conversation/composer-form.ts';
import { getConversationForm } from '../../renderer/run/form/panel-forms.ts';

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

it.each([
  ['clears a sent message even if its parts were replaced by equal ones', [part()], 0],
  ['keeps a message whose parts changed', [part(), part()], 2],
])('%s', async (name, parts, kept) => {
  const form = getConversationForm(name);
  await form.load();
  setParts(form, [part()]);
  const sent = getMessage(form);
  setParts(form, parts);
  clearMessage(form, sent, form);
  expect(getMessage(form).parts).toHaveLength(kept);
});
