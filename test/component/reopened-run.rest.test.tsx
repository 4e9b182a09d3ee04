import { beforeEach, expect, it } from 'vitest';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { reopenRun } from '../../renderer/run/form/reopen.ts';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { getParamValues } from '../../shared/param.ts';
import { runView } from '../fixtures/run-view.ts';
import { openPanel, type Panel } from './every-panel.tsx';
import { formsDelay, storedFields, storeFields } from './fake-forms.ts';
import { layDown, resetPanels } from './panel-fixtures.tsx';

beforeEach(() => resetPanels());

const own = 'Own0_-Own0_-Own0_-Own0';
const theirs = 'Run0_-Run0_-Run0_-Run0';
const imageRequest = {
  contents: [{ role: 'user', parts: [{ text: 'Of the run' }] }],
  generationConfig: { imageConfig: { aspectRatio: '16:9' } },
};

/** Lists the previous input, the run's request, and the input after opening the run. */
it.each<[Panel, object, JsonObject, object]>([
  ['completion', { prompt: 'Mine' }, { prompt: 'Of the run' }, { prompt: 'Of the run' }],
  [
    ...(['image', { prompt: 'Mine', aspectRatio: '1:1' }, imageRequest] as const),
    { prompt: 'Of the run', aspectRatio: '16:9' },
  ],
  [
    ...(['video', { prompt: 'Mine', image: 'https://example.com/mine.png' }] as const),
    ...([{ prompt: 'Of the run' }, { prompt: 'Of the run', image: '' }] as const),
  ],
  [
    ...(['rerank', { query: 'Mine', documents: 'My document' }] as const),
    { query: 'Of the run', documents: ['One', 'Two'] },
    { query: 'Of the run', documents: 'One\nTwo' },
  ],
  ['speech', { text: 'Mine' }, { input: 'Of the run' }, { text: 'Of the run' }],
  ['transcription', { mediaId: own }, { file: createMediaReference(theirs) }, { mediaId: theirs }],
  [
    ...(['console', { method: 'POST', path: '/v1/mine', body: '{"mine": true}' }] as const),
    { method: 'GET', path: '/v1/models' },
    { method: 'GET', path: '/v1/models', body: '' },
  ],
])('opens a run of %s, and restores the replaced input on Undo', async (...row) => {
  const [panel, input, request, opened] = row;
  const form: Form<OperationName> = panelForms[panel];
  await form.load();
  form.change({ input });
  const run = runView(panel, { id: 'opened', status: 'succeeded', finishedAt: 1 });
  layDown(run, request);
  const { screen, button } = await openPanel(panel);
  await reopenRun(run);
  const values = () => form.state.getState().values;
  await expect.poll(() => values().input).toMatchObject(opened);
  expect(values().runId).toBe('opened');
  await expect.element(screen.getByText('Input replaced by the opened run')).toBeVisible();
  await button('Undo').click();
  await expect.poll(() => values().input).toMatchObject(input);
});

const form = panelForms.completion;
const values = () => form.state.getState().values;
const run = runView('completion', {
  id: 'the-run',
  status: 'succeeded',
  model: 'echo',
  connectionId: 'deleted',
  connectionName: 'Old gateway',
});

it('replaces all parameters, even while the form is loading', async () => {
  layDown(run, { prompt: 'Of the run', temperature: 1 });
  storeFields('completion', {
    params: { n: { value: 3 }, temperature: { value: 0.2 } },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  formsDelay.until = promise;
  const opened = reopenRun(run);
  resolve();
  await opened;
  await form.load();
  expect(getParamValues(values().params)).toEqual({ temperature: 1 });
  form.flush();
  await expect.poll(() => storedFields('completion')).not.toHaveProperty('params.n');
});

it.each(['completion', 'rerank', 'embeddings', 'transcription'] as const)(
  'lists earlier results of %s, and shows the chosen one',
  async (panel) => {
    const form: Form<OperationName> = panelForms[panel];
    await form.load();
    for (const preview of ['Older', 'Newer']) {
      layDown(runView(panel, { id: preview, preview, status: 'succeeded', finishedAt: 1 }), {});
    }
    form.change({ runId: 'Newer' });
    const { screen } = await openPanel(panel);
    await screen.getByText('Earlier results').click();
    const list = screen.getByRole('list', { name: 'Earlier results' });
    await expect
      .element(list.getByRole('button', { name: /Newer/ }))
      .toHaveAttribute('aria-current', 'true');
    await list.getByRole('button', { name: /Older/ }).click();
    expect(form.state.getState().values.runId).toBe('Older');
    await screen.getByText('Earlier results').click();
  },
);
