import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import shortcutsPage from '../../docs/shortcuts.md?raw';
import { App } from '../../renderer/app/app.tsx';
import { demoModels } from './params-fixtures.tsx';
import { main } from './shell-fake-main.ts';
import { resetShell } from './shell-fixtures.ts';

beforeEach(async () => {
  await resetShell();
  location.hash = '#/chat';
});

it('documents every listed shortcut in docs/shortcuts.md', async () => {
  main.models = demoModels;
  main.settings = { ...main.settings, enterSends: true };
  const screen = await render(<App />);
  await expect.element(page.getByRole('heading', { level: 1, name: 'Chat' })).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Message' })).toBeVisible();
  screen.getByRole('main').element().focus();
  await userEvent.keyboard('{Shift>}?{/Shift}');
  const sheet = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(sheet.getByText('Send message', { exact: true })).toBeVisible();

  const [, documented = ''] = shortcutsPage.split('<!-- shortcuts -->\n');
  expect(documented.split('<!-- end -->')[0]).toBe(`\n${writeTables(sheet.element())}\n\n`);
});

function writeTables(sheet: Element): string {
  return [...sheet.querySelectorAll('section')]
    .map((section) =>
      [
        `## ${section.getAttribute('aria-label')}`,
        '',
        '| Action | Keys |',
        '|---|---|',
        ...[...section.querySelectorAll('li')].map(writeRow),
      ].join('\n'),
    )
    .join('\n\n');
}

function writeRow(row: Element): string {
  const combinations = [...row.querySelectorAll(':scope > span:last-child > span')].map((keys) =>
    [...keys.querySelectorAll('kbd')]
      .map((key) => `<kbd>${key.textContent.replace('↵', 'Enter')}</kbd>`)
      .join('+'),
  );
  return `| ${row.querySelector(':scope > span')?.textContent} | ${combinations.join(' ')} |`;
}
