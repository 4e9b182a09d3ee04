import { beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { SpeechPanel } from '../../renderer/features/speech/speech-panel.tsx';
import { speechForm, writeText } from '../../renderer/features/speech/speech-store.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { setParameter } from '../../renderer/run/form/parameters.ts';
import { getSourceRun } from '../../renderer/run/form/text-source.ts';
import { runView } from '../fixtures/run-view.ts';
import { storedTone } from './media-fixtures.ts';
import { main } from './panel-fake-main.ts';
import { layDown, PanelPage, resetPanels, show } from './panel-fixtures.tsx';

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

/** The sound of a run that ended well. */
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

it('restores the text and parameters that an example replaced', async () => {
  const { screen, text } = await panel();
  await text.fill('Mine');
  setParameter(speechForm, 'voice', 'echo');
  await screen.getByRole('button', { name: 'Story' }).click();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  expect(main.started[0]?.request).toMatchObject({ voice: 'onyx', speed: 0.9 });
  setParameter(speechForm, 'response_format', 'flac');
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(text).toHaveValue('Mine');
  expect(speechForm.state.getState().values.parameters).toEqual({
    voice: 'echo',
    response_format: 'flac',
  });
});

it('plays an earlier take beside the result, and makes it the result while it plays', async () => {
  layDown(await spoken('earlier', 'The first try', 20), { input: 'The first try', voice: 'nova' });
  show(await spoken('newest', 'The second try', 30), { input: 'The second try' });
  const { screen } = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  const takes = screen.getByRole('region', { name: 'Earlier takes' });
  await expect.element(takes.getByText(/^nova · /)).toBeVisible();
  await result.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => playing()[0]?.duration).toBeCloseTo(30, 0);
  await takes.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => playing()[0]?.duration).toBeCloseTo(20, 0);
  expect(playing()).toHaveLength(1);
  await expect.element(result.getByRole('button', { name: 'Play' })).toBeVisible();

  await takes.getByRole('button', { name: /^The first try/ }).click();
  await expect.element(takes.getByRole('button', { name: /^The second try/ })).toBeVisible();
  await expect.element(result.getByRole('button', { name: 'Pause' })).toBeVisible();
  expect(playing().map(({ duration }) => Math.round(duration))).toEqual([20]);
  await result.getByRole('button', { name: 'Pause' }).click();
  expect(playing()).toEqual([]);
});

it('reports a replaced text, and keeps what is typed since on Undo', async () => {
  const { screen, text } = await panel();
  writeText('Mine');
  sendToPanel('speech', { kind: 'text', text: 'What was heard', runId: null });
  await expect.element(screen.getByText('Text replaced')).toBeVisible();
  await expect.element(text).toHaveFocus();
  await text.fill('What was heard, and more');
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(text).toHaveValue('Mine, and more');
  sendToPanel('speech', { kind: 'text', text: 'Mine, and more', runId: null });
  await expect.element(screen.getByText('This text is already entered.')).toBeVisible();
  await expect.element(text).toHaveValue('Mine, and more');
});

it('links the next run to the source of its text until the text is another one', async () => {
  await panel();
  sendToPanel('speech', { kind: 'text', text: 'What was heard', runId: 'heard' });
  await expect.poll(() => getSourceRun(speechForm, { input: 'What was heard' })).toBe('heard');
  expect(getSourceRun(speechForm, { input: 'Well: What was heard, and more' })).toBe('heard');
  expect(getSourceRun(speechForm, { input: 'What I say' })).toBeNull();
});

it('doesn’t focus the text again when the panel is reopened', async () => {
  const { screen, text } = await panel();
  writeText('Mine');
  sendToPanel('speech', { kind: 'text', text: 'What was heard', runId: null });
  await expect.element(text).toHaveFocus();
  await screen.unmount();
  const again = await panel();
  await expect.element(again.screen.getByText('Text replaced')).toBeVisible();
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await expect.element(again.text).not.toHaveFocus();
  await again.screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(again.text).toHaveValue('Mine');
});

it('suggests the voices that the gateway lists, and takes any other', async () => {
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
