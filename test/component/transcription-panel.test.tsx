import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

vi.mock('../../renderer/lib/api.ts', () => import('./panel-fake-main.ts'));

import { TranscriptionPanel } from '../../renderer/features/transcription/transcription-panel.tsx';
import {
  chooseAudio,
  replaceAudio,
  showView,
  transcriptionForm,
} from '../../renderer/features/transcription/transcription-store.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { setParameter } from '../../renderer/run/form/parameters.ts';
import { mediaReference } from '../../shared/media.ts';
import { runView } from '../fixtures/run-view.ts';
import { storedTone, textFile } from './media-fixtures.ts';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';

beforeEach(async () => {
  await page.viewport(1360, 860);
  location.hash = '#/transcription';
  resetPanels();
  showView('text');
});

async function panel(size: { width?: number; height?: number } = {}) {
  const screen = await render(
    <PanelPage {...size}>
      <TranscriptionPanel />
    </PanelPage>,
  );
  await expect.element(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-model');
  return screen;
}

async function chosenTone(seconds: number) {
  const media = await storedTone(seconds);
  main.media.set(media.id, media);
  chooseAudio(media.id);
  return media;
}

const sounds = () => [...document.querySelectorAll('audio')];

it.each(['removed', 'replaced'])(
  'stops audio that is %s, and restores it paused on Undo',
  async (how) => {
    await chosenTone(30);
    const other = await storedTone(3);
    main.media.set(other.id, other);
    const screen = await panel();
    await screen.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => sounds()[0]?.currentTime).toBeGreaterThan(0.1);
    const [sound] = sounds();
    if (how === 'removed') await screen.getByRole('button', { name: 'Remove tone.wav' }).click();
    else replaceAudio(other.id);
    await expect.element(screen.getByText(`Audio ${how}`)).toBeVisible();
    await expect.poll(() => sound?.paused).toBe(true);
    expect(sounds()).toHaveLength(how === 'removed' ? 0 : 1);
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.element(screen.getByText(/\/ 0:30\.0$/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Play' })).toBeVisible();
    expect(sounds().every(({ paused }) => paused)).toBe(true);
  },
);

it('focuses Run after an example, with nothing in between', async () => {
  main.runs = [runView('transcription', { id: 'started' })];
  const screen = await panel();
  const example = screen.getByRole('button', { name: /^Plain text/ });
  await expect.element(example).toBeVisible();
  const focused: string[] = [];
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element) focused.push(target.textContent ?? '');
  };
  document.addEventListener('focusin', note);
  onTestFinished(() => document.removeEventListener('focusin', note));
  await example.click();
  await expect.poll(() => main.started.length).toBe(1);
  await expect.element(example).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: /^(Run|Stop)$/ })).toHaveFocus();
  expect(focused.slice(1)).toHaveLength(1);
  expect(screen.getByText('Ready to transcribe').elements()).toEqual([]);
});

it('shows the upload progress, then how long it has waited', async () => {
  const media = await chosenTone(2);
  const request = { file: mediaReference(media.id) };
  const upload = { doneBytes: 1000, totalBytes: 4000 };
  show(runView('transcription', { createdAt: Date.now() - 13_500, state: { upload } }), request);
  const screen = await panel();
  const bar = screen.getByRole('progressbar', { name: 'Uploading audio' });
  await expect.element(bar).toHaveAttribute('value', '1000');
  await expect.element(screen.getByText('Uploaded 1.0 kB of 4.0 kB')).toBeVisible();
  const sent = { upload: { doneBytes: 4000, totalBytes: 4000 }, uploadedAtMs: 1000 };
  show(runView('transcription', { createdAt: Date.now() - 13_500, seq: 2, state: sent }), request);
  await expect.element(screen.getByText(/Waiting for the transcript… 0:1[2-9]$/)).toBeVisible();
  await expect.element(bar).not.toBeInTheDocument();
});

it('removes the error of a file when another file is chosen', async () => {
  const screen = await panel();
  const chooser = screen.getByLabelText('Choose audio files');
  await userEvent.upload(chooser, textFile('first.wav', 'audio/wav'));
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/first\.wav/);
  await userEvent.upload(chooser, textFile('second.wav', 'audio/wav'));
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/second\.wav/);
  expect(screen.getByRole('alert').elements()).toHaveLength(1);
  await chosenTone(2);
  await expect.element(screen.getByText('tone.wav').first()).toBeVisible();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
});

it('keeps player and spoken word in view in a low window', async () => {
  await page.viewport(960, 600);
  const media = await chosenTone(120);
  const words = Array.from({ length: 600 }, (_, index) => ({
    word: `word${index}`,
    start: index * 0.2,
    end: index * 0.2 + 0.2,
  }));
  const text = words.map(({ word }) => word).join(' ');
  show(
    runView('transcription', {
      status: 'succeeded',
      finishedAt: Date.now(),
      state: { raw: text, text, words, format: 'verbose_json' },
    }),
    { file: mediaReference(media.id) },
  );
  const screen = await panel({ width: 908, height: 576 });
  const slider = screen.getByRole('slider', { name: 'Position in tone.wav' });
  await expect.element(slider).toHaveAttribute('aria-valuemax', '120');
  slider.element().focus();
  // Half of it.
  await userEvent.keyboard('{PageUp}{PageUp}{PageUp}{PageUp}{PageUp}');
  await expect
    .element(screen.getByRole('button', { name: 'word300', exact: true }))
    .toBeInViewport({ ratio: 1 });
  await expect.element(slider).toBeInViewport({ ratio: 1 });
  await userEvent.keyboard('{End}{ArrowLeft}');
  await expect
    .element(screen.getByRole('button', { name: 'word575', exact: true }))
    .toBeInViewport({ ratio: 1 });
  await expect.element(slider).toBeInViewport({ ratio: 1 });
});

it('reports added and replaced audio from other panels, and adds none twice', async () => {
  const screen = await panel();
  const [first, second] = await Promise.all([storedTone(2), storedTone(3)]);
  for (const media of [first, second]) main.media.set(media.id, media);
  const chosen = () => transcriptionForm.state.getState().values.input.mediaId;
  sendToPanel('transcription', { kind: 'media', media: first });
  await expect.element(screen.getByText('Audio added')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Run', exact: true })).toHaveFocus();
  sendToPanel('transcription', { kind: 'media', media: first });
  await expect.element(screen.getByText('This audio is already selected.')).toBeVisible();
  sendToPanel('transcription', { kind: 'media', media: second });
  await expect.element(screen.getByText('Audio replaced')).toBeVisible();
  expect(chosen()).toBe(second.id);
  await screen.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(chosen).toBe(first.id);
});

/** The bundled speech is fetched once this is called. */
function holdExampleSpeech(): () => void {
  const held = Promise.withResolvers<void>();
  const original = window.fetch.bind(window);
  const fetching = vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    if (String(url).includes('example-speech')) await held.promise;
    return original(url, init);
  });
  onTestFinished(() => fetching.mockRestore());
  return held.resolve;
}

it('restores the parameters, and audio added while the example loaded', async () => {
  const loadExample = holdExampleSpeech();
  setParameter(transcriptionForm, 'response_format', 'vtt');
  setParameter(transcriptionForm, 'temperature', 0.4);
  const screen = await panel();
  await screen.getByRole('button', { name: /^Subtitles/ }).click();
  const own = await chosenTone(3);
  await expect.element(screen.getByRole('group', { name: 'tone.wav' })).toBeVisible();
  loadExample();
  await vi.waitFor(() => expect(main.started).toHaveLength(1));
  const { mediaId } = transcriptionForm.state.getState().values.input;
  expect(mediaId).not.toBe(own.id);
  expect(main.started[0]?.request).toMatchObject({
    file: mediaReference(mediaId ?? ''),
    response_format: 'srt',
    temperature: 0.4,
  });
  await expect.element(screen.getByText('Input replaced by the example')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByRole('group', { name: 'tone.wav' })).toBeVisible();
  expect(transcriptionForm.state.getState().values).toMatchObject({
    input: { mediaId: own.id },
    parameters: { response_format: 'vtt', temperature: 0.4 },
  });
});
