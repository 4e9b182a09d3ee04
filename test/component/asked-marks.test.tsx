import { beforeEach, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { CompletionPanel } from '../../renderer/features/completion/completion-panel.tsx';
import { runView } from '../fixtures/run-view.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';

beforeEach(resetPanels);

const figures = { model: 'm', usage: null, finishReasons: ['stop'], noResult: null };

it('shows each mismatch on a line, and marks the rest quietly', async () => {
  const findings = [
    { name: 'model', holds: true, note: 'Asked for m; the response names m.' },
    { name: 'schema', holds: true, note: 'The answer matches the JSON schema.' },
    { name: 'choices', holds: false, note: 'Asked for n = 2, got 1.' },
  ] as const;
  const view = runView('completion', { status: 'succeeded', figures, findings: [...findings] });
  show(view, { prompt: 'Once', n: 2 });
  const screen = await render(
    <PanelPage width={1300} height={800}>
      <CompletionPanel />
    </PanelPage>,
  );
  const list = screen.getByRole('list', { name: 'Not as asked' });
  await expect.element(list).toHaveTextContent('Choices: Asked for n = 2, got 1.');
  const mark = screen.getByText('As asked: model, JSON schema');
  await expect.element(mark).toBeVisible();
  expect(mark.element().closest('[data-tooltip]')?.getAttribute('data-tooltip')).toBe(
    'Asked for m; the response names m.\nThe answer matches the JSON schema.',
  );
});
