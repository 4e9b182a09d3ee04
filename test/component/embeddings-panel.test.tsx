import { beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';

import {
  embeddingsForm,
  useEmbeddingsViews,
} from '../../renderer/features/embeddings/embeddings-form.ts';
import { EmbeddingsPanel } from '../../renderer/features/embeddings/embeddings-panel.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { appError } from '../../shared/errors.ts';
import { emptyEmbeddingsState } from '../../shared/operations/embeddings/embeddings.ts';
import { encodeNpyHeader } from '../../shared/operations/embeddings/npy.ts';
import { medium } from '../fixtures/medium.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';

beforeEach(() => {
  location.hash = '#/embeddings';
  resetPanels();
  useEmbeddingsViews.setState({ vectorsView: 'list', inputsView: 'lines', measure: 'cosine' });
});

async function panel() {
  const screen = await render(
    <PanelPage>
      <EmbeddingsPanel />
    </PanelPage>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-model');
  return screen;
}

it('sends one input per line, then images, and resumes after the last embedded input', async () => {
  const input = ['one', 'two', 'three'];
  const file = medium({ id: 'v'.repeat(22), name: 'vectors.npy', kind: 'file' });
  show(
    runView('embeddings', {
      status: 'cancelled',
      finishedAt: Date.now(),
      error: appError('cancelled', 'Stopped.', 'Retry.'),
      media: [file],
      state: { ...emptyEmbeddingsState, dimensions: 2, doneCount: 2, vectorCount: 2 },
    }),
    { model: 'demo-model', input },
  );
  const screen = await panel();
  await screen.getByRole('textbox', { name: 'Inputs' }).fill('the bridge\n\nthe gate');
  embeddingsForm.change({ input: { imageIds: ['a'.repeat(22)] } });
  const progress = screen.getByRole('progressbar', { name: 'Inputs embedded' });
  await expect.element(progress).toHaveAttribute('aria-valuenow', '2');
  await expect.element(screen.getByText('2 of 3 inputs')).toBeVisible();
  await screen.getByRole('button', { name: 'Resume (1 input left)' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request).toEqual({
    model: 'demo-model',
    input,
    resume: { media: `media:${file.id}`, count: 2, dimensions: 2 },
  });
  embeddingsForm.change({ runId: null });
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(2));
  expect(main.started[1]).toMatchObject({
    operation: 'embeddings',
    request: { input: ['the bridge', 'the gate', { image: `media:${'a'.repeat(22)}` }] },
  });
});

it('lists vectors and finds the nearest inputs', async () => {
  const values = Float32Array.of(1, 0, 0, 1, Number.NaN, Number.NaN, 3, 0.3);
  const bytes = Uint8Array.from([...encodeNpyHeader(4, 2), ...new Uint8Array(values.buffer)]);
  const file = await uploadMedia(new File([bytes], 'vectors.npy'));
  show(
    runView('embeddings', {
      status: 'succeeded',
      finishedAt: Date.now(),
      media: [file],
      state: { ...emptyEmbeddingsState, dimensions: 2, doneCount: 4, vectorCount: 3, missing: [2] },
    }),
    { model: 'demo-model', input: ['a bridge', 'a gate', 'nothing', 'two bridges'] },
  );
  const screen = await panel();
  const vectors = screen.getByRole('list', { name: 'Vectors' });
  await expect.element(vectors.getByText('length 1.000 · [1.0000, 0.0000]')).toBeVisible();
  await expect.element(vectors.getByText('No vector')).toBeVisible();
  await screen.getByRole('button', { name: 'Neighbors of input 1', exact: true }).click();
  const neighbors = screen.getByRole('list', { name: 'Neighbors' }).getByRole('listitem');
  await expect.element(neighbors.first()).toMatchTextContent(/0\.995Input 4two bridges$/);
  await expect.element(neighbors.nth(1)).toMatchTextContent(/0\.000Input 2a gate$/);
  await screen.getByRole('radio', { name: 'Dot product' }).click();
  await expect.element(neighbors.first()).toMatchTextContent(/3\.000Input 4two bridges$/);
});

it('folds the inputs above a comparison, unless there are none', async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `Line ${at + 1}`);
  embeddingsForm.change({
    input: { texts: lines.join('\n') },
    comparing: true,
    comparisonId: 'compared',
  });
  const screen = await panel();
  const fold = screen.getByRole('button', { name: '200 inputs' });
  const inputs = screen.getByRole('textbox', { name: 'Inputs' });
  await expect.element(fold).toHaveAttribute('aria-expanded', 'false');
  expect(inputs.elements()).toEqual([]);
  await fold.click();
  await expect.element(inputs).toBeVisible();
  expect(inputs.element().getBoundingClientRect().height).toBeLessThan(300);
  embeddingsForm.change({ comparing: false });
  await expect.element(inputs).toBeVisible();
  expect(fold.elements()).toEqual([]);
});

it('colors the map by cluster or column, and doesn’t compute a known map again', async () => {
  const points = Array.from({ length: 12 }, (_, at) => [at % 2 === 0 ? 1 : 9, (at % 3) / 10]);
  const values = Float32Array.from(points.flat());
  const bytes = Uint8Array.from([...encodeNpyHeader(12, 2), ...new Uint8Array(values.buffer)]);
  const file = await uploadMedia(new File([bytes], 'vectors.npy'));
  show(
    runView('embeddings', {
      status: 'succeeded',
      finishedAt: Date.now(),
      media: [file],
      state: { ...emptyEmbeddingsState, dimensions: 2, doneCount: 12, vectorCount: 12 },
    }),
    { model: 'demo-model', input: points.map((_, at) => `input ${at}`) },
  );
  const columns = points.map((_, at) => [`input ${at}`, { topic: at < 4 ? 'boats' : 'bread' }]);
  embeddingsForm.change({ input: { columns: Object.fromEntries(columns) } });
  useEmbeddingsViews.setState({ vectorsView: 'map', mapMethod: 'pca' });
  const screen = await panel();
  const legend = screen.getByRole('list', { name: 'Groups' });
  await expect.element(legend).toMatchTextContent(/^Cluster 1 · 6 inputsCluster 2 · 6 inputs$/);
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  await screen.getByRole('radio', { name: 'List' }).click();
  await screen.getByRole('radio', { name: 'Map' }).click();
  await expect.element(legend).toBeVisible();
  await screen.getByRole('combobox', { name: 'Color by' }).selectOptions('topic');
  await expect.element(legend).toMatchTextContent(/^boats · 4 inputsbread · 8 inputs$/);
  expect(posted.mock.calls.flat().filter(isMapRequest)).toEqual([]);
  posted.mockRestore();
});

function isMapRequest(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'name' in message && message.name === 'map'
  );
}
