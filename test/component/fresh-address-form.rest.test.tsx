import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { FreshAddressForm, SessionEnded } from '../../renderer/app/session-ended.tsx';
import { listUnsavedTexts } from '../../renderer/app/unsaved-texts.tsx';
import { keepDraft } from '../../renderer/features/chat/conversation/edit-drafts.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { panelForms, toolsForm } from '../../renderer/run/form/panel-forms.ts';
import { api } from './panel-fake-main.ts';

const address = 'http://127.0.0.1:9/?token=fresh';

// Make every save fail, so that the changes stay unsaved.
beforeEach(() => {
  vi.spyOn(api.forms, 'change').mockReturnValue(new Promise(() => undefined));
});

afterEach(() => {
  panelForms.completion.forget();
  panelForms.chat.forget();
  queryClient.clear();
  toolsForm.forget();
  vi.restoreAllMocks();
});

it('opens the new URL in another tab if text is unsaved, or reports a blocked popup', async () => {
  const tab = { opener: window };
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  panelForms.completion.change({ input: { prompt: 'Typed since' } }, { typing: true });
  const screen = await render(<FreshAddressForm />);
  await screen.getByRole('textbox', { name: 'New URL' }).fill(address);
  const button = screen.getByRole('button', { name: 'Open' });
  await button.click();
  await expect.element(screen.getByText(/^Your browser blocked the new tab\./)).toBeVisible();
  expect(screen.getByText(/Opened in a new tab/).elements()).toEqual([]);
  open.mockReturnValue(tab as unknown as Window);
  await button.click();
  await expect.element(screen.getByText(/Opened in a new tab\./)).toBeVisible();
  expect(open).toHaveBeenLastCalledWith(address, '_blank');
  expect(tab.opener).toBeNull();
});

it('labels unsaved text with its panel and omits selections', async () => {
  panelForms.chat.change({
    input: { text: 'Hello', toolCallId: 'call_1', role: 'tool' },
    params: {
      temperature: { value: 0.2 },
      stop: { value: ['END', 'STOP'], text: 'END\nSTOP' },
      seed: { off: true },
      user: { as: 'user_id' },
    },
    models: { demo: 'demo-chat' },
  });
  expect(listUnsavedTexts()).toEqual([
    { title: 'Chat: Message', text: 'Hello' },
    { title: 'Chat: Tool call ID', text: 'call_1' },
    { title: 'Chat: Temperature', text: '0.2' },
    { title: 'Chat: Stop sequences', text: 'END\nSTOP' },
  ]);
});

it('shows only unsaved text on the signed-out page, ready to copy', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  panelForms.completion.change({ input: { prompt: 'Typed since' } }, { typing: true });
  keepDraft(toolsForm, 'new', { text: 'Half of an edit' });
  const screen = await render(<SessionEnded />);
  const unsaved = screen.getByRole('region', { name: 'Unsaved text' });
  await expect.element(unsaved.getByText('Half of an edit')).toBeVisible();
  expect(screen.getByText(/Your data is saved/).elements()).toEqual([]);
  await unsaved.getByRole('button', { name: 'Copy Completion: Prompt' }).click();
  expect(write).toHaveBeenCalledWith('Typed since');
  await screen.unmount();
  panelForms.completion.forget();
  toolsForm.forget();
  const saved = await render(<SessionEnded />);
  await expect.element(saved.getByRole('textbox', { name: 'New URL' })).toHaveFocus();
  await expect.element(saved.getByText(/Your data is saved/)).toBeVisible();
  expect(unsaved.elements()).toEqual([]);
});
