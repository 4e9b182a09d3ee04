import { beforeEach, expect, it, vi } from 'vitest';
import { dropDraft, keepDraft } from '../../renderer/features/chat/conversation/edit-drafts.tsx';
import { createForm, type StoredForm } from '../../renderer/run/form/form.ts';
import { forgetStored } from '../component/fake-forms.ts';

vi.mock('../../renderer/lib/api.ts', async () => {
  const { fakeForms } = await import('../component/fake-forms.ts');
  return { api: { forms: fakeForms } };
});

beforeEach(forgetStored);

async function openWindow(): Promise<StoredForm<'chat'>> {
  const form = createForm('chat', 'conversation:one');
  await form.load();
  return form;
}

/** Returns the drafts that a new page loads after all windows have saved. */
async function keptEdits(...windows: StoredForm<'chat'>[]) {
  await Promise.all(windows.map((form) => form.flush()));
  return (await openWindow()).state.getState().values.edits;
}

it('keeps the drafts of two windows', async () => {
  const [one, other] = [await openWindow(), await openWindow()];
  keepDraft(one, 'a', { text: 'In the first' });
  keepDraft(other, 'b', { text: 'In the second', parts: [] });
  expect(await keptEdits(one, other)).toEqual({
    a: { text: 'In the first' },
    b: { text: 'In the second', parts: [] },
  });
});

it('drops only the draft that was saved', async () => {
  const form = await openWindow();
  keepDraft(form, 'a', { text: 'A' });
  keepDraft(form, 'b', { text: 'B' });
  await keptEdits(form);
  dropDraft(form, 'a');
  dropDraft(form, 'never kept');
  expect(await keptEdits(form)).toEqual({ b: { text: 'B' } });
});
