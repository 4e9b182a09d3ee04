import { beforeEach, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';

import { App } from '../../renderer/app/app.tsx';
import { panelLabel } from '../../renderer/lib/panels.ts';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import type { JsonObject } from '../../shared/json.ts';
import { mediaReference } from '../../shared/media.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { runView } from '../fixtures/run-view.ts';
import { main } from './shell-fake-main.ts';
import { resetShellWithModels } from './shell-fixtures.ts';

beforeEach(resetShellWithModels);

const own = 'Own0_-Own0_-Own0_-Own0';
const theirs = 'Run0_-Run0_-Run0_-Run0';

/** The form before, the request of the run, and the form after opening it. */
it.each<[OperationName, object, JsonObject, object]>([
  ['completion', { prompt: 'Mine' }, { prompt: 'Of the run' }, { prompt: 'Of the run' }],
  [
    'image',
    { prompt: 'Mine', aspectRatio: '1:1' },
    {
      contents: [{ role: 'user', parts: [{ text: 'Of the run' }] }],
      generationConfig: { imageConfig: { aspectRatio: '16:9' } },
    },
    { prompt: 'Of the run', aspectRatio: '16:9' },
  ],
  [
    'video',
    { prompt: 'Mine', image: 'https://example.com/mine.png' },
    { prompt: 'Of the run' },
    { prompt: 'Of the run', image: '' },
  ],
  [
    'rerank',
    { query: 'Mine', documents: 'My document' },
    { query: 'Of the run', documents: ['One', 'Two'] },
    { query: 'Of the run', documents: 'One\nTwo' },
  ],
  ['speech', { text: 'Mine' }, { input: 'Of the run' }, { text: 'Of the run' }],
  ['transcription', { mediaId: own }, { file: mediaReference(theirs) }, { mediaId: theirs }],
  [
    'console',
    { method: 'POST', path: '/v1/mine', body: '{"mine": true}' },
    { method: 'GET', path: '/v1/models' },
    { method: 'GET', path: '/v1/models', body: '' },
  ],
])(
  'restores the input that an opened run of %s replaced',
  async (panel, input, request, opened) => {
    const form: Form<OperationName> = panelForms[panel];
    main.runs = [runView(panel, { id: 'opened', status: 'succeeded', finishedAt: 1 })];
    main.recorded = request;
    location.hash = '#/history';
    const screen = await render(<App />);
    await form.load();
    form.change({ input });
    const record = screen.getByRole('article', { name: 'Run' });
    await record.getByRole('button', { name: `Open in ${panelLabel(panel)}` }).click();
    await expect
      .element(screen.getByRole('heading', { level: 1, name: panelLabel(panel) }))
      .toBeVisible();
    await expect.poll(() => form.state.getState().values.input).toMatchObject(opened);
    expect(form.state.getState().values.runId).toBe('opened');
    await expect.element(screen.getByText('Input replaced by the opened run')).toBeVisible();
    await screen.getByRole('main').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => form.state.getState().values.input).toMatchObject(input);
  },
);
