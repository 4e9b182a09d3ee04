import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { useLayout } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { panelLabel, panelNames } from '../../renderer/lib/panels.ts';
import { shortcutKeys } from '../../renderer/lib/shortcut.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import type { RunView } from '../../shared/run-view.ts';
import { runView } from '../fixtures/run-view.ts';
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

it('skips to the panel, and focuses it after a shortcut or a closed dialog', async () => {
  const { screen, panel, prompt } = await openApp();
  const skip = screen.getByRole('navigation', { name: 'Skip links' });
  await expect.element(prompt).toBeVisible();
  screen.getByRole('link', { name: 'Chat', exact: true }).element().focus();
  await userEvent.tab({ shift: true });
  const toPanel = skip.getByRole('button', { name: 'Skip to panel' });
  await expect.element(toPanel).toHaveFocus();
  await userEvent.tab();
  await expect.element(skip.getByRole('button', { name: 'Skip to composer' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(prompt).toHaveFocus();
  toPanel.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(panel).toHaveFocus();

  await userEvent.keyboard('{Control>}k{/Control}');
  const palette = screen.getByRole('dialog', { name: 'Command palette' });
  await expect.poll(() => palette.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(palette).not.toBeInTheDocument();
  await expect.element(panel).toHaveFocus();

  // The shortcut removes the focused field.
  prompt.element().focus();
  await userEvent.keyboard('{Control>}5{/Control}');
  await expect.element(heading('Rerank')).toBeVisible();
  await expect.element(panel).toHaveFocus();
});

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

it('announces when a run starts and how it ends', async () => {
  const screen = await render(<App />);
  await expect.element(screen.getByRole('region', { name: 'Notifications' })).toBeInTheDocument();
  const show = (view: RunView) => useLiveRuns.setState({ views: { [view.id]: view } });
  const figures = { model: 'm', usage: null, finishReasons: [], noResult: null };
  show(runView('chat', { status: 'running' }));
  await expect.element(screen.getByText('Run started.')).toBeInTheDocument();
  show(runView('chat', { status: 'succeeded', figures }));
  await expect.element(screen.getByText('Run finished.')).toBeInTheDocument();
  show(runView('chat', { status: 'running' }));
  const noResult = 'The response is empty.';
  show(runView('chat', { status: 'succeeded', figures: { ...figures, noResult } }));
  await expect
    .element(screen.getByText('Run finished with no result. The response is empty.'))
    .toBeInTheDocument();
  useLiveRuns.setState({ views: {} });
});

it('applies the dark theme at once, and saves it for the next start', async () => {
  const screen = await render(<App />);
  await screen.getByRole('link', { name: 'Settings', exact: true }).click();
  await screen.getByRole('link', { name: 'General' }).click();
  await screen.getByRole('radio', { name: 'Dark' }).click();
  await vi.waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
  expect(localStorage.getItem('gatehouse:appearance')).toContain('"theme":"dark"');
  expect(main.settings.theme).toBe('dark');
});

it('asks for a new URL if the connection stays lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const screen = await render(<App />);
  await expect.element(heading('Image')).toBeVisible();
  const field = screen.getByRole('textbox', { name: 'New URL' });
  useLinkState.setState('lost', true);
  await expect.element(screen.getByText(/Your text is kept\./)).toBeVisible();
  vi.advanceTimersByTime(4000);
  await expect.element(field).not.toBeInTheDocument();
  vi.advanceTimersByTime(2000);
  await expect.element(field).toBeVisible();
  await field.fill('http://127.0.0.1:4100/');
  await screen.getByRole('button', { name: 'Open', exact: true }).click();
  await expect.element(screen.getByText(/Paste the whole URL/)).toBeVisible();
  useLinkState.setState('open', true);
  await expect.element(field).not.toBeInTheDocument();
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
