import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { SavedRequests } from '../../renderer/features/console/saved-requests.tsx';
import type { RankedDocument } from '../../renderer/features/rerank/ranking.ts';
import { RankingBars } from '../../renderer/features/rerank/ranking-views.tsx';
import { emptyInputs } from '../../shared/operations/empty-inputs.ts';
import { main } from './panel-fake-main.ts';
import { Queries } from './params-fixtures.tsx';
import { typeWord } from './type-word.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

vi.mock('../../renderer/lib/api.ts', () => import('./panel-fake-main.ts'));

function ranked(rank: number, text: string | null): RankedDocument {
  return {
    rank,
    index: rank - 1,
    relevanceScore: 1 / rank,
    text,
    fields: null,
    movedUp: 0,
    problem: null,
  };
}

it('the bars of a ranking are one Tab stop: arrows, End and typing lead from document to document', async () => {
  const names = ['About rivers', null, 'About lakes'];
  const documents = Array.from({ length: 60 }, (_, at) =>
    ranked(at + 1, at < 3 ? (names[at] ?? null) : `Document ${at + 1}`),
  );
  const screen = await render(
    <>
      <button type="button">Before</button>
      <div style={{ display: 'flex', flexDirection: 'column', height: 300 }}>
        <RankingBars documents={documents} sentCount={60} />
      </div>
      <button type="button">After</button>
    </>,
  );
  const text = (name: string) => screen.getByRole('button', { name, exact: true });
  await expect.element(text('About rivers')).toBeVisible();
  screen.getByRole('button', { name: 'Before' }).element().focus();
  await userEvent.tab();
  await expect.element(text('About rivers')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect
    .element(screen.getByText('The text of this document is not available.'))
    .toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(text('About lakes')).toHaveFocus();
  await expect.element(text('About lakes')).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{End}');
  await expect.element(text('Document 60')).toHaveFocus();
  await typeWord('about r');
  await expect.element(text('About rivers')).toHaveFocus();
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'After' })).toHaveFocus();
});

it('saved requests are one Tab stop, and Right reaches what deletes one', async () => {
  main.savedRequests = ['List the models', 'Ask for a story'].map((name, index) => ({
    id: `request-${index}`,
    name,
    request: emptyInputs.console,
  }));
  const screen = await render(
    <Queries>
      <SavedRequests draft={emptyInputs.console} presets={[]} />
      <button type="button">After</button>
    </Queries>,
  );
  const request = (name: RegExp) => screen.getByRole('button', { name });
  await expect.element(request(/^Ask for a story/)).toBeVisible();
  screen.getByRole('button', { name: 'Save request' }).element().focus();
  await userEvent.tab();
  await expect.element(request(/^List the models/)).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(request(/^Ask for a story/)).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(request(/^Delete Ask for a story/)).toHaveFocus();
  await userEvent.tab();
  await expect.element(request(/^After/)).toHaveFocus();
});
