import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import {
  rerankDocuments,
  rerankForm,
  showDocumentsAs,
  showRankingAs,
  writeDocuments,
} from '../../renderer/features/rerank/rerank-form.ts';
import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { removeDocument } from '../../renderer/run/form/documents/document-source.ts';
import { DocumentRows } from '../../renderer/run/form/documents/documents-form.tsx';
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

it('runs only once on Enter in the query, even while Enter is held', async () => {
  const screen = await panel();
  writeDocuments('The bridge\nThe gate');
  await screen.getByRole('textbox', { name: 'Query' }).fill('Which opens?');
  await userEvent.keyboard('{Enter>4/}');
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request).toMatchObject({
    query: 'Which opens?',
    documents: ['The bridge', 'The gate'],
  });
  await new Promise(requestAnimationFrame);
  expect(main.started).toHaveLength(1);
});

it('numbers ranks and documents from 1, shows other fields, and draws no bar without a score', async () => {
  const sent = ['The bridge', 'The gate'];
  const result = (index: number, relevanceScore: number | null) => ({
    ...{ index, relevanceScore, document: null, problem: null },
    ...(index === 1 && { fields: { title: 'On gates', tags: ['iron', 'oak'] } }),
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
  await expect
    .element(scored)
    .toMatchTextContent(
      /^1Score 0\.5000.*up 1Document 2The gatetitleOn gatestags\["iron","oak"\]$/,
    );
  await expect.element(unscored).toMatchTextContent(/^2No score.*Document 1The bridge$/);
  const track = (item: typeof scored) =>
    item.element().querySelector('[data-empty], :has(> [style])');
  expect(track(scored)?.children).toHaveLength(1);
  expect(track(unscored)?.children).toHaveLength(0);
  expect(getComputedStyle(track(unscored) ?? document.body).backgroundColor).toBe(
    'rgba(0, 0, 0, 0)',
  );
  showRankingAs('table');
  const rows = screen.getByRole('row');
  await expect.element(rows.nth(1)).toMatchTextContent(/The gatetitleOn gates/);
  await expect.element(rows.nth(2)).toMatchTextContent(/^2No score1/);
});

it('adds lines from another panel with Undo, skipping duplicates', async () => {
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

function Documents() {
  const [lines, setLines] = useState(['The bridge', 'The gate', 'A road']);
  return (
    <div style={{ display: 'flex', height: 300 }}>
      <DocumentRows
        noun="document"
        lines={lines}
        error={null}
        onText={(text) => setLines(text.split('\n'))}
        onRemove={(at) => removeDocument(rerankDocuments, at)}
      />
    </div>
  );
}

it('moves between rows by arrow keys or typing, edits on Enter, and leaves on Escape', async () => {
  const screen = await render(<Documents />);
  const row = (name: string) => screen.getByRole('listitem', { name, exact: true });
  await expect.element(row('Document 1')).toBeVisible();
  await userEvent.tab();
  await expect.element(row('Document 1')).toHaveFocus();
  await userEvent.keyboard('a');
  await expect.element(row('Document 3')).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}{Enter}');
  const second = screen.getByRole('textbox', { name: 'Document 2' });
  await expect.element(second).toHaveFocus();
  await userEvent.keyboard('{End} is open');
  await expect.element(second).toHaveValue('The gate is open');
  await userEvent.keyboard('{Escape}');
  await expect.element(row('Document 2')).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'Add document' })).toHaveFocus();
});

it('removes only one document while Delete is held', async () => {
  writeDocuments('The bridge\nThe gate\nA road');
  const screen = await render(<Documents />);
  await expect
    .element(screen.getByRole('listitem', { name: 'Document 1', exact: true }))
    .toBeVisible();
  await userEvent.tab();
  await userEvent.keyboard('{Delete>3/}');
  expect(rerankForm.state.getState().values.input.documents).toBe('The gate\nA road');
});
