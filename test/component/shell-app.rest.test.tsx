import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { useLayout } from '../../renderer/lib/layout.ts';
import { panelLabel, panelNames } from '../../renderer/lib/panels.ts';
import { shortcutKeys } from '../../renderer/lib/shortcut.ts';
import { demoModels } from './params-fixtures.tsx';
import { main } from './shell-fake-main.ts';
import { resetShell } from './shell-fixtures.ts';

beforeEach(async () => {
  await resetShell();
  location.hash = '#/image';
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });

async function openApp() {
  const screen = await render(<App />);
  await expect.element(heading('Image')).toBeVisible();
  const prompt = screen.getByRole('textbox', { name: 'Prompt', exact: true });
  return { screen, panel: screen.getByRole('main'), prompt };
}

it('lists every shortcut on ?, unless the user is typing, and shows them in tooltips', async () => {
  main.models = demoModels;
  main.settings = { ...main.settings, enterSends: true };
  const { screen, panel, prompt } = await openApp();
  await prompt.fill('Who');
  await userEvent.keyboard('?');
  await expect.element(prompt).toHaveValue('Who?');
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  await expect.element(run).toHaveAttribute('data-shortcut', 'Mod+Enter');
  const shortcuts = [...document.querySelectorAll<HTMLElement>('[data-shortcut]')].map(
    ({ dataset }) => dataset.shortcut ?? '',
  );
  // At least the panels, Run, the parameters and the inspector have shortcuts.
  expect(shortcuts.length).toBeGreaterThanOrEqual(panelNames.length + 3);

  panel.element().focus();
  await userEvent.keyboard('{Shift>}?{/Shift}');
  const sheet = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(sheet.getByText('Send message', { exact: true })).toBeVisible();
  const listed = [...sheet.element().querySelectorAll('li')].map(({ textContent }) => textContent);
  const titles = ['Actual size', 'Run', 'Open command palette', 'Rename conversation or file'];
  for (const title of [...titles, ...panelNames.map(panelLabel)]) {
    expect(
      listed.some((line) => line.startsWith(title)),
      title,
    ).toBe(true);
  }
  for (const shortcut of shortcuts) {
    const keys = shortcutKeys(shortcut).join('');
    expect(
      listed.some((line) => line.endsWith(keys)),
      shortcut,
    ).toBe(true);
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(panel).toHaveFocus();
  await screen.getByRole('button', { name: 'Inspector' }).hover();
  await expect
    .poll(() => document.querySelector('[data-base-ui-portal] [aria-hidden]')?.textContent)
    .toBe('InspectorCtrlJ');
});

it('shows a notice until it is dismissed', async () => {
  main.notices = [
    {
      id: 'damaged',
      level: 'warning',
      message: 'The ledger was damaged and has been set aside.',
      nextStep: 'Find it in the data folder.',
    },
  ];
  const screen = await render(<App />);
  await expect.element(screen.getByText(/has been set aside/)).toBeVisible();
  await screen.getByRole('button', { name: 'Dismiss' }).click();
  expect(screen.getByText(/has been set aside/).elements()).toHaveLength(0);
});

it('resizes the inspector with the keyboard', async () => {
  useLayout.setState({ inspectorOpen: true, inspectorHeight: 300 });
  const screen = await render(<App />);
  const handle = screen.getByRole('separator', { name: 'Inspector height' });
  await expect.element(handle).toHaveAttribute('aria-valuenow', '300');
  handle.element().focus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(handle).toHaveAttribute('aria-valuenow', '316');
  await userEvent.keyboard('{Home}');
  await expect.element(handle).toHaveAttribute('aria-valuenow', '160');
});
