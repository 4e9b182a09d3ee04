import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { transcribeAll } from '../../renderer/features/speech/chain-transcripts.ts';
import { EarlierTakes } from '../../renderer/features/speech/earlier-takes.tsx';
import { SpeechPanel } from '../../renderer/features/speech/speech-panel.tsx';
import { speechForm } from '../../renderer/features/speech/speech-store.ts';
import { getColumns } from '../../renderer/run/compare/compare-columns.ts';
import { setComparing } from '../../renderer/run/compare/variants.ts';
import { setParameter } from '../../renderer/run/form/parameters.ts';
import type { Comparison } from '../../shared/comparison.ts';
import { noNotes } from '../../shared/comparison-notes.ts';
import { runView } from '../fixtures/run-view.ts';
import { storedTone } from './media-fixtures.ts';
import { api, main } from './panel-fake-main.ts';
import { PanelPage, resetPanels } from './panel-fixtures.tsx';
import { Queries } from './params-fixtures.tsx';

beforeEach(() => {
  location.hash = '#/speech';
  resetPanels();
});

async function panel() {
  const screen = await render(
    <PanelPage>
      <SpeechPanel />
    </PanelPage>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-model');
  return { screen, text: screen.getByRole('textbox', { name: 'Text', exact: true }) };
}

it('lists the gateway’s voices as check boxes for a comparison', async () => {
  main.voices = [
    { id: 'harbor', name: 'Harbor', model: null },
    { id: 'meadow', name: 'Meadow', model: null },
  ];
  const { screen } = await panel();
  setComparing(speechForm, true);
  await screen.getByRole('button', { name: 'From a list…' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Create variants from a list' });
  await dialog.getByRole('combobox', { name: 'Field', exact: true }).selectOptions('Voice');
  const voices = dialog.getByRole('group', { name: 'Known values for field' });
  await voices.getByRole('checkbox', { name: 'Harbor' }).click();
  await voices.getByRole('checkbox', { name: 'Meadow' }).click();
  await expect
    .element(dialog.getByRole('textbox', { name: 'Values for field' }))
    .toHaveValue('harbor, meadow');
});

it('suggests the gateway’s voices and accepts any other', async () => {
  main.voices = [
    { id: 'af_bella', name: 'Bella', model: null },
    { id: 'elsewhere', name: null, model: 'another-model' },
  ];
  const { screen } = await panel();
  setParameter(speechForm, 'voice', 'alloy');
  const voice = screen.getByRole('combobox', { name: 'Voice' });
  await voice.click();
  await expect
    .element(screen.getByText('Listed by the gateway. Any other voice can be typed.'))
    .toBeVisible();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(voice).toHaveValue('af_bella');
  await voice.fill('my-clone');
  expect(speechForm.state.getState().values.params.voice).toEqual({ value: 'my-clone' });
});

it('gives earlier takes one Tab stop, and reaches their player with Right', async () => {
  const sound = await storedTone(5);
  main.runs = ['First', 'Second'].map((preview, index) =>
    runView('speech', {
      id: `run-${index}`,
      status: 'succeeded',
      preview,
      media: [sound],
    }),
  );
  const screen = await render(
    <Queries>
      <button type="button">Before</button>
      <EarlierTakes shownId={null} />
      <button type="button">After</button>
    </Queries>,
  );
  const takes = screen.getByRole('region', { name: 'Earlier takes' });
  // The browser can't seek until it knows the duration.
  for (const take of [0, 1]) {
    await expect
      .element(takes.getByRole('slider').nth(take))
      .toHaveAttribute('aria-valuetext', '0:00.0 of 0:05.0');
  }
  screen.getByRole('button', { name: 'Before' }).element().focus();
  await userEvent.tab();
  await expect.element(takes.getByRole('button', { name: /^First/ })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(takes.getByRole('button', { name: 'Play' }).first()).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(takes.getByRole('slider').first()).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect
    .element(takes.getByRole('slider').first())
    .toHaveAttribute('aria-valuetext', '0:05.0 of 0:05.0');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  await expect.element(takes.getByRole('button', { name: 'Play' }).first()).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(takes.getByRole('button', { name: /^First/ })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowDown}');
  await expect.element(takes.getByRole('button', { name: /^Second/ })).toHaveFocus();
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'After' })).toHaveFocus();
});

it.each([
  ['is blind', async () => ['voices']],
  [
    'may be blind, because the main process fails',
    () => Promise.reject(new Error('The disk is full.')),
  ],
])('hides a take’s voice if its comparison %s', async (_how, blind) => {
  const blinding = vi.spyOn(api.comparisons, 'blind').mockImplementation(blind);
  onTestFinished(() => blinding.mockRestore());
  const sound = await storedTone(0.1);
  const take = { status: 'succeeded' as const, preview: 'Good morning', media: [sound] };
  main.runs = [
    runView('speech', { ...take, id: 'alone' }),
    runView('speech', { ...take, id: 'compared', comparisonId: 'voices', cell: 0 }),
  ];
  const spoken = (voice: string) => ({
    request: { voice },
    extraBody: {},
    wireNames: {},
    follow: null,
  });
  main.inputs.set('alone', spoken('alloy'));
  main.inputs.set('compared', spoken('echo'));
  const screen = await render(
    <Queries>
      <EarlierTakes shownId={null} />
    </Queries>,
  );
  await expect.element(screen.getByText(/alloy/)).toBeVisible();
  expect(screen.getByRole('button', { name: /^Good morning/ }).elements()).toHaveLength(2);
  expect(screen.getByText(/echo/).elements()).toEqual([]);
});

it('names the voices of a blind comparison by letters in its transcripts', async () => {
  const sound = await storedTone(0.1);
  const variants = ['echo', 'nova'].map((voice) => ({
    id: voice,
    name: '',
    connectionId: 'demo',
    request: { model: 'demo-speech', voice },
    extraBody: {},
    wireNames: {},
    differences: [`voice ${voice}`],
  }));
  const comparison: Comparison = {
    id: 'voices',
    title: 'Good morning',
    operation: 'speech',
    createdAt: 0,
    repeats: 1,
    conversationId: null,
    sourceComparisonId: null,
    rows: [{ id: 'input', label: '', sourceRunId: null, variants: [], request: { input: 'Hi' } }],
    variants,
  };
  const cells = variants.map(({ id }, place) => ({
    place,
    rowId: 'input',
    variantId: id,
    repeat: 0,
    messageId: null,
    state: 'sent' as const,
    attempts: 1,
    run: runView('speech', { id, status: 'succeeded', media: [sound] }),
    problem: null,
  }));
  const blind = { isHidden: true, order: ['nova', 'echo'], picks: {} };
  const columns = getColumns(comparison, { ...noNotes, blind });
  const starting = vi.spyOn(api.comparisons, 'start');
  onTestFinished(() => starting.mockRestore());
  await transcribeAll('speech', { comparison, cells, columns }, false);
  const plan = starting.mock.lastCall?.[0];
  expect(plan).toMatchObject({ rows: [{ label: 'B' }, { label: 'A' }] });
  expect(JSON.stringify(plan)).not.toMatch(/voice (?:echo|nova)/);
});
