import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { TranscriptionPanel } from '../../renderer/features/transcription/transcription-panel.tsx';
import { useLiveComparisons } from '../../renderer/run/compare/live-comparisons.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import type { Comparison } from '../../shared/comparison.ts';
import { noNotes } from '../../shared/comparison-notes.ts';
import { MAX_REFERENCE_CHARS } from '../../shared/media.ts';
import { runSummary, runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels } from './panel-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  location.hash = '#/transcription';
  resetPanels();
});

function layDownTranscripts(count: number): void {
  const places = Array.from({ length: count }, (_, place) => place);
  const comparison: Comparison = {
    id: 'heard',
    title: 'Transcripts',
    operation: 'transcription',
    createdAt: 0,
    repeats: 1,
    conversationId: null,
    sourceComparisonId: null,
    rows: places.map((place) => ({
      id: `cell-${place}`,
      label: `Voice ${place}`,
      request: {},
      sourceRunId: null,
      variants: [],
    })),
    variants: [
      {
        id: 'v',
        name: '',
        connectionId: 'demo',
        request: { model: 'demo-model' },
        extraBody: {},
        wireNames: {},
        differences: [],
      },
    ],
  };
  const run = (place: number) => ({
    id: `run-${place}`,
    operation: 'transcription' as const,
    status: 'succeeded' as const,
    createdAt: 0,
    startedAt: 0,
    finishedAt: 500,
  });
  for (const place of places) {
    layDown(
      runView('transcription', {
        ...run(place),
        state: { text: `Word ${place}`, durationSeconds: 2 },
      }),
    );
  }
  main.plans.set('heard', comparison);
  const cells = places.map((place) => ({
    place,
    rowId: `cell-${place}`,
    variantId: 'v',
    repeat: 0,
    messageId: null,
    state: 'sent' as const,
    attempts: 1,
    run: runSummary(run(place)),
    problem: null,
  }));
  const references = Object.fromEntries(cells.map(({ rowId, place }) => [rowId, `Word ${place}`]));
  const heard = {
    comparison,
    notes: { ...noNotes, references },
    cells,
    heldBy: null,
    sending: [],
  };
  useLiveComparisons.setState({ views: { heard } });
}

it('renders only recordings near the viewport', async () => {
  layDownTranscripts(16);
  const screen = await render(
    <PanelPage>
      <TranscriptionPanel />
    </PanelPage>,
  );
  panelForms.transcription.change({ comparing: true, comparisonId: 'heard' });
  const recording = (place: number) =>
    screen.getByRole('region', { name: `Voice ${place}`, exact: true }).first();
  const reference = (place: number) =>
    recording(place).getByRole('textbox', { name: 'Reference text' });
  await expect.element(recording(15)).toBeInTheDocument();
  await expect.element(reference(0)).toBeInTheDocument();
  const drawn = () => screen.getByRole('textbox', { name: 'Reference text' }).elements().length;
  expect(drawn()).toBeLessThan(8);
  await vi.waitFor(() => {
    recording(15).element().scrollIntoView();
    expect(reference(15).query()).not.toBeNull();
  });
  await expect.element(reference(15)).toBeVisible();
  expect(drawn()).toBeLessThan(14);
});

it('lists the word error rate and the real-time factor among the metrics', async () => {
  layDownTranscripts(1);
  const screen = await render(
    <PanelPage>
      <TranscriptionPanel />
    </PanelPage>,
  );
  panelForms.transcription.change({ comparing: true, comparisonId: 'heard' });
  await screen.getByRole('radio', { name: 'Metrics' }).click();
  const table = screen.getByRole('table', { name: 'Metrics' });
  for (const label of ['WER', 'Real-time factor']) {
    await expect.element(table.getByRole('columnheader', { name: label })).toBeVisible();
  }
  await expect.element(table.getByRole('cell', { name: '0.0%' })).toBeVisible();
  await expect.element(table.getByRole('cell', { name: '0.25' })).toBeVisible();
});

it('shows an error for a reference text over the limit without sending it', async () => {
  layDownTranscripts(1);
  const screen = await render(
    <PanelPage>
      <TranscriptionPanel />
    </PanelPage>,
  );
  panelForms.transcription.change({ comparing: true, comparisonId: 'heard' });
  const field = screen.getByRole('textbox', { name: 'Reference text' });
  await expect.element(field).toHaveValue('Word 0');
  const rates = screen.getByRole('table', { name: 'Errors against the reference text' });
  await expect.element(rates).toBeVisible();
  setValue(field.element(), 'a'.repeat(MAX_REFERENCE_CHARS + 35_000));
  await expect
    .element(field)
    .toHaveAccessibleDescription('35,000 characters over the 1,000,000 limit.');
  await expect.element(rates).not.toBeInTheDocument();
  setValue(field.element(), 'Word 0, at last');
  await expect
    .poll(() => main.noted)
    .toEqual([{ kind: 'reference', rowId: 'cell-0', text: 'Word 0, at last' }]);
  await expect.element(rates).toBeVisible();
});

/** Sets the text in the page, because typing a million characters takes seconds. */
function setValue(field: Element, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
  set?.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
