import { beforeEach, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { undo, useUndo } from '../../renderer/lib/undo.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { setParameter } from '../../renderer/run/form/parameters.ts';
import { reopenRun, useReopened } from '../../renderer/run/form/reopen.ts';
import { runView } from '../fixtures/run-view.ts';
import { formsDelay, storedFields, storeFields } from './fake-forms.ts';
import { layDown, resetPanels } from './panel-fixtures.tsx';

const run = runView('completion', {
  id: 'the-run',
  status: 'succeeded',
  connectionId: 'deleted',
  connectionName: 'Old gateway',
  model: 'echo',
});
const form = panelForms.completion;
const values = () => form.state.getState().values;

function Panel() {
  useReopened('completion', ({ request }) =>
    form.change({ input: { prompt: String(request.prompt) } }),
  );
  return null;
}

beforeEach(() => {
  resetPanels();
  layDown(run, { prompt: 'Of the run', temperature: 1 });
});

it('offers Undo for the replaced input and reports a missing connection', async () => {
  await form.load();
  form.change({ input: { prompt: 'Mine' } });
  setParameter(form, 'temperature', 0.2);
  await render(<Panel />);
  await reopenRun(run);
  await expect.poll(() => values().input.prompt).toBe('Of the run');
  form.change({ input: { suffix: 'Typed since' } });
  const offers = useUndo.getState().offers.map(({ message }) => message);
  expect(offers).toEqual([
    'Input replaced by the opened run',
    'Connection “Old gateway” was deleted. The next run uses the selected connection.',
  ]);
  await undo(useUndo.getState().offers[0]?.id ?? 0);
  expect(values()).toMatchObject({
    input: { prompt: 'Mine', suffix: 'Typed since' },
    parameters: { temperature: 0.2 },
    runId: null,
  });
});

it('replaces all parameters, even while the form is loading', async () => {
  storeFields('completion', { parameters: { n: 3, temperature: 0.2 } });
  const { promise, resolve } = Promise.withResolvers<void>();
  formsDelay.until = promise;
  const opened = reopenRun(run);
  resolve();
  await opened;
  await form.load();
  expect(values().parameters).toEqual({ temperature: 1 });
  form.flush();
  await expect.poll(() => storedFields('completion')).not.toHaveProperty('parameters.n');
});
