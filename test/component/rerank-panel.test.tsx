import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import {
  rerankForm,
  showDocumentsAs,
  showRankingAs,
  writeDocuments,
} from '../../renderer/features/rerank/rerank-form.ts';
import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';

beforeEach(() => {
  location.hash = '#/rerank';
  resetPanels();
  showDocumentsAs('lines');
  showRankingAs('bars');
});

async function panel() {
  const screen = await render(
    <PanelPage>
      <RerankPanel />
    </PanelPage>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-model');
  return screen;
}

const documents = () => rerankForm.state.getState().values.input.documents;

it('runs on Enter in the query', async () => {
  const screen = await panel();
  writeDocuments('The bridge\nThe gate');
  await screen.getByRole('textbox', { name: 'Query' }).fill('Which opens?');
  await userEvent.keyboard('{Enter}');
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request).toMatchObject({
    query: 'Which opens?',
    documents: ['The bridge', 'The gate'],
  });
});

it('counts ranks and documents from 1, and draws no bar without a score', async () => {
  const sent = ['The bridge', 'The gate'];
  const result = (index: number, relevanceScore: number | null) => ({
    ...{ index, relevanceScore, document: null, problem: null },
  });
  show(
    runView('rerank', {
      status: 'succeeded',
      finishedAt: Date.now(),
      state: { results: [result(1, 0.5), result(0, null)], documentCount: 2 },
    }),
    { query: 'Which opens?', documents: sent },
  );
  const screen = await panel();
  const [scored, unscored] = [0, 1].map((at) =>
    screen.getByRole('region', { name: 'Result' }).getByRole('listitem').nth(at),
  );
  if (scored === undefined || unscored === undefined) throw new Error('Expected two items.');
  await expect.element(scored).toMatchTextContent(/^1Score 0\.5000.*up 1Document 2The gate$/);
  await expect.element(unscored).toMatchTextContent(/^2No score.*Document 1The bridge$/);
  const track = (item: typeof scored) =>
    item.element().querySelector('[data-empty], :has(> [style])');
  expect(track(scored)?.children).toHaveLength(1);
  expect(track(unscored)?.children).toHaveLength(0);
  expect(getComputedStyle(track(unscored) ?? document.body).backgroundColor).toBe(
    'rgba(0, 0, 0, 0)',
  );
  showRankingAs('table');
  const row = screen.getByRole('row').nth(2);
  await expect.element(row).toMatchTextContent(/^2No score1/);
});

it('shows other document fields in both views', async () => {
  const fields = { title: 'On gates', tags: ['iron', 'oak'] };
  show(
    runView('rerank', {
      status: 'succeeded',
      finishedAt: Date.now(),
      state: {
        results: [{ index: 0, relevanceScore: 0.5, document: 'The gate', fields, problem: null }],
        documentCount: 1,
      },
    }),
    { query: 'Which opens?', documents: ['The gate'] },
  );
  const screen = await panel();
  const item = screen.getByRole('region', { name: 'Result' }).getByRole('listitem');
  await expect.element(item).toMatchTextContent(/The gatetitleOn gatestags\["iron","oak"\]$/);
  showRankingAs('table');
  await expect.element(screen.getByRole('row').nth(1)).toMatchTextContent(/The gatetitleOn gates/);
});

it('adds lines sent from another panel without duplicates, with Undo', async () => {
  const screen = await panel();
  writeDocuments('The bridge');
  sendToPanel('rerank', { kind: 'text', text: 'The bridge\nThe gate\nA road', runId: null });
  await expect.element(screen.getByText('2 documents added')).toBeVisible();
  await expect.element(screen.getByRole('textbox', { name: 'Query' })).toHaveFocus();
  expect(documents()).toBe('The bridge\nThe gate\nA road');
  writeDocuments('The old bridge\nThe gate\nA road');
  await screen.getByRole('button', { name: 'Undo' }).click();
  expect(documents()).toBe('The old bridge');
  sendToPanel('rerank', { kind: 'text', text: 'The old bridge', runId: null });
  await expect.element(screen.getByText('These documents are already listed.')).toBeVisible();
  expect(documents()).toBe('The old bridge');
});

it('runs once while Enter is held in the query', async () => {
  const screen = await panel();
  rerankForm.change({ input: { query: 'Which one?', documents: 'This one' } });
  await screen.getByRole('textbox', { name: 'Query' }).click();
  await userEvent.keyboard('{Enter>4/}');
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  await new Promise(requestAnimationFrame);
  expect(main.started).toHaveLength(1);
});
