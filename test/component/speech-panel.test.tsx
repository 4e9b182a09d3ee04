import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { EarlierTakes } from '../../renderer/features/speech/earlier-takes.tsx';
import { SpeechPanel } from '../../renderer/features/speech/speech-panel.tsx';
import { speechForm, writeText } from '../../renderer/features/speech/speech-store.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { setParameter } from '../../renderer/run/form/parameters.ts';
import { getSourceRun } from '../../renderer/run/form/text-source.ts';
import { runView } from '../fixtures/run-view.ts';
import { storedTone } from './media-fixtures.ts';
import { api, main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels, show } from './panel-fixtures.tsx';
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

/** Returns a finished run with a tone of the given length. */
async function spoken(id: string, preview: string, seconds: number) {
  const media = await storedTone(seconds);
  return runView('speech', {
    id,
    preview,
    status: 'succeeded',
    finishedAt: Date.now(),
    media: [media],
    state: { media, receivedFormat: 'wav', receivedBytes: media.sizeBytes },
  });
}

function playing(): HTMLAudioElement[] {
  return [...document.querySelectorAll('audio')].filter(({ paused }) => !paused);
}

it('plays an earlier take next to the result, and makes it the result during playback', async () => {
  // Both must outlast the test on a busy machine.
  layDown(await spoken('earlier', 'The first try', 80), { input: 'The first try', voice: 'nova' });
  show(await spoken('newest', 'The second try', 100), { input: 'The second try' });
  const { screen } = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  const takes = screen.getByRole('region', { name: 'Earlier takes' });
  const lengths = () => playing().map(({ duration }) => Math.round(duration));
  await expect.element(takes.getByText(/^nova · /)).toBeVisible();
  await result.getByRole('button', { name: 'Play' }).click();
  await expect.poll(lengths).toEqual([100]);
  await takes.getByRole('button', { name: 'Play' }).click();
  await expect.poll(lengths).toEqual([80]);
  await expect.element(result.getByRole('button', { name: 'Play' })).toBeVisible();

  await takes.getByRole('button', { name: /^The first try/ }).click();
  await expect.element(takes.getByRole('button', { name: /^The second try/ })).toBeVisible();
  await expect.element(result.getByRole('button', { name: 'Pause' })).toBeVisible();
  expect(lengths()).toEqual([80]);
  await result.getByRole('button', { name: 'Pause' }).click();
  expect(playing()).toEqual([]);
});

it('replaces the text with received text, keeps later typing on Undo, and links the runs', async () => {
  const { screen, text } = await panel();
  writeText('Mine');
  const receive = (words: string, runId: string | null) =>
    sendToPanel('speech', { kind: 'text', text: words, runId });
  receive('What was heard', 'heard');
  await expect.element(screen.getByText('Text replaced')).toBeVisible();
  await expect.element(text).toHaveFocus();
  expect(getSourceRun(speechForm, { input: 'Well: What was heard, and more' })).toBe('heard');
  expect(getSourceRun(speechForm, { input: 'What I say' })).toBeNull();
  await text.fill('What was heard, and more');
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(text).toHaveValue('Mine, and more');
  receive('Mine, and more', null);
  await expect.element(screen.getByText('This text is already entered.')).toBeVisible();
  await expect.element(text).toHaveValue('Mine, and more');

  receive('Something else', null);
  await expect.element(text).toHaveFocus();
  await screen.unmount();
  const again = await panel();
  await expect.element(again.screen.getByText('Text replaced')).toBeVisible();
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await expect.element(again.text).not.toHaveFocus();
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
  expect(speechForm.state.getState().values.parameters.voice).toBe('my-clone');
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
