import { afterEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { FreshAddressForm } from '../../renderer/app/session-ended.tsx';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';

vi.mock('../../renderer/lib/api.ts', () => ({
  api: { forms: { change: () => new Promise(() => undefined) } },
  orpc: {},
}));

afterEach(() => panelForms.completion.forget());

it('leaves the page that has what was typed, and opens the new one beside it', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  panelForms.completion.change({ input: { prompt: 'Typed since' } }, { typing: true });
  const screen = await render(<FreshAddressForm />);
  const address = 'http://127.0.0.1:9/?token=fresh';
  await screen.getByRole('textbox', { name: 'New URL' }).fill(address);
  await screen.getByRole('button', { name: 'Open' }).click();
  await expect.element(screen.getByText(/Opened in a new tab\./)).toBeVisible();
  expect(open).toHaveBeenCalledWith(address, '_blank', 'noopener');
});
