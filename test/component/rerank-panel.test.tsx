import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import {
  rerankForm,
  showDocumentsAs,
  showRankingAs,
  writeDocuments,
} from '../../renderer/features/rerank/rerank-form.ts';
import { RerankPanel } from '../../renderer/features/rerank/rerank-panel.tsx';
import { useUndo } from '../../renderer/lib/undo.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';

import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import { inList, RankedPage } from './ranked-fixtures.tsx';

describe('the panel', () => {
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

  it('measures one ranking by labels, which later runs of the query keep', async () => {
    const request = { query: 'gate', documents: ['a bridge', 'a gate'] };
    const ranked = (id: string, order: number[]) => {
      const results = order.map((index, rank) => {
        return { index, relevanceScore: 1 - rank / 10, document: null, problem: null };
      });
      show(runView('rerank', { id, status: 'succeeded', state: { results } }), request);
    };
    ranked('first', [0, 1]);
    rerankForm.change({ input: { columns: { 'a gate': { source: 'atlas' } } } });
    const screen = await panel();
    await expect.element(screen.getByText('atlas')).toBeVisible();
    await screen.getByText('Labels', { exact: true }).click();
    await screen.getByRole('button', { name: /^Label document 2 as 3/ }).click();
    const quality = screen.getByRole('region', { name: 'Ranking quality' });
    const row = quality.getByRole('table').getByRole('row').nth(1);
    await expect.element(row).toMatchTextContent(/0\.631/);
    ranked('second', [1, 0]);
    await expect.element(row).toMatchTextContent(/1\.000/);
  });

  it('says which column of a file has the texts, and keeps the others', async () => {
    const screen = await panel();
    const csv = new File(['id,text\n7,a gate'], 'table.csv', { type: 'text/csv' });
    await screen.getByLabelText('Document files').upload(csv);
    const note = screen.getByText('table.csv: the text is in text; kept id.');
    await expect.element(note).toBeVisible();
    expect(documents()).toBe('a gate');
    expect(rerankForm.state.getState().values.input.columns).toEqual({ 'a gate': { id: '7' } });
  });

  it('says that the response ranks fewer documents than requested', async () => {
    const request = { query: 'gate', documents: ['one', 'two', 'three'] };
    const results = [0, 2].map((index) => ({
      index,
      relevanceScore: 0.5,
      document: null,
      problem: null,
    }));
    const ranked = (more: object) =>
      show(runView('rerank', { status: 'succeeded', state: { results } }), { ...request, ...more });
    ranked({});
    const screen = await panel();
    await expect
      .element(screen.getByText('The response ranks 2 of 3 documents, although Top n isn’t set.'))
      .toBeVisible();
    await expect
      .element(screen.getByText(/Result of an earlier input · Query: gate/))
      .toBeVisible();
  });

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
      index,
      relevanceScore,
      document: null,
      problem: null,
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
});

describe('rankings', () => {
  beforeEach(() => {
    useUndo.setState({ offers: [] });
  });

  describe('rankings side by side', () => {
    it('connects each result across lists, and highlights a document in all of them', async () => {
      const { container } = await render(<RankedPage />);
      const path = container.querySelector('path[d^="M0 "]');
      const start = Number(/^M0 (\d+)/.exec(path?.getAttribute('d') ?? '')?.[1]);
      const svg = path?.closest('svg')?.getBoundingClientRect();
      const first = inList('bm25').element().querySelector('li')?.getBoundingClientRect();
      expect((svg?.top ?? 0) + start).toBeCloseTo((first?.top ?? 0) + (first?.height ?? 0) / 2, 0);
      expect(svg?.left).toBeCloseTo(first?.right ?? 0, 0);
      await inList('pairs')
        .getByRole('button', { name: /^2 Document 2/ })
        .click();
      const detail = page.getByRole('region', { name: 'Document 2', exact: true });
      await expect.element(detail).toMatchTextContent(/#2 in bm25 · #2 in pairs · #3 in other/);
      await expect.element(detail).toMatchTextContent(/Text of 1$/);
      expect(container.querySelectorAll('path[d^="M0 "]').length).toBe(4);
      expect(container.querySelectorAll('li[class*="activeResult"]').length).toBe(3);
    });
  });
});
