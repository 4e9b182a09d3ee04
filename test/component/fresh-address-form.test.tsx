import { afterEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { FreshAddressForm, SessionEnded } from '../../renderer/app/session-ended.tsx';
import { keepDraft } from '../../renderer/features/chat/edit-drafts.ts';
import { panelForms, toolsForm } from '../../renderer/run/form/panel-forms.ts';

vi.mock('../../renderer/lib/api.ts', () => ({
  api: { forms: { change: () => new Promise(() => undefined) } },
  orpc: {},
}));

const address = 'http://127.0.0.1:9/?token=fresh';

afterEach(() => {
  panelForms.completion.forget();
  panelForms.chat.forget();
  toolsForm.forget();
  vi.restoreAllMocks();
});

it('leaves the page that has what was typed, and opens the new one beside it', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  panelForms.completion.change({ input: { prompt: 'Typed since' } }, { typing: true });
  const screen = await render(<FreshAddressForm />);
  await screen.getByRole('textbox', { name: 'New URL' }).fill(address);
  await screen.getByRole('button', { name: 'Open' }).click();
  await expect.element(screen.getByText(/Opened in a new tab\./)).toBeVisible();
  expect(open).toHaveBeenCalledWith(address, '_blank', 'noopener');
});

it('leaves the page that has an edit that was not saved, and shows the edit to copy', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  keepDraft(panelForms.chat, 'a', { text: 'Half of an edit', parts: [] });
  const screen = await render(<FreshAddressForm />);
  await screen.getByRole('textbox', { name: 'New URL' }).fill(address);
  await screen.getByRole('button', { name: 'Open' }).click();
  const unsaved = screen.getByRole('region', { name: 'Unsaved text' });
  await expect.element(unsaved.getByText('Half of an edit')).toBeVisible();
  expect(open).toHaveBeenCalledOnce();
});

it('shows on the signed-out page what was typed, to copy it', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  panelForms.completion.change({ input: { prompt: 'Typed since' } }, { typing: true });
  keepDraft(toolsForm, 'new', { text: 'Half of an edit' });
  const screen = await render(<SessionEnded />);
  const unsaved = screen.getByRole('region', { name: 'Unsaved text' });
  await expect.element(unsaved.getByText('Half of an edit')).toBeVisible();
  expect(screen.getByText(/Your data is saved/).elements()).toEqual([]);
  await unsaved.getByRole('button', { name: 'Copy Completion: Prompt' }).click();
  expect(write).toHaveBeenCalledWith('Typed since');
});

it('shows nothing to copy on the signed-out page where all is saved', async () => {
  const screen = await render(<SessionEnded />);
  await expect.element(screen.getByRole('textbox', { name: 'New URL' })).toHaveFocus();
  await expect.element(screen.getByText(/Your data is saved/)).toBeVisible();
  expect(screen.getByRole('region', { name: 'Unsaved text' }).elements()).toEqual([]);
});
