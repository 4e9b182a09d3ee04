import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';

import { TranscriptionPanel } from '../../renderer/features/transcription/transcription-panel.tsx';
import {
  chooseAudio,
  replaceAudio,
  showView,
  transcriptionForm,
} from '../../renderer/features/transcription/transcription-store.ts';
import { requestMedia, uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { setParameter } from '../../renderer/run/form/parameters.ts';
import { createMediaReference, getMediaUrl, type Media } from '../../shared/media.ts';
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

it('stops replaced or removed audio, and restores it paused on Undo', async () => {
  await chosenTone(10);
  const other = await storedTone(1);
  main.media.set(other.id, other);
  const screen = await panel();
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  for (const how of ['replaced', 'removed'] as const) {
    await button('Play').click();
    await expect.poll(() => sounds()[0]?.currentTime).toBeGreaterThan(0.1);
    const [sound] = sounds();
    if (how === 'removed') await button('Remove tone.wav').click();
    else replaceAudio(other.id);
    await expect.element(screen.getByText(`Audio ${how}`)).toBeVisible();
    await expect.poll(() => sound?.paused).toBe(true);
    expect(sounds()).toHaveLength(how === 'removed' ? 0 : 1);
    await button('Undo').click();
    await expect.element(screen.getByText(/\/ 0:10\.0$/)).toBeVisible();
    await expect.element(button('Play')).toBeVisible();
    expect(sounds().every(({ paused }) => paused)).toBe(true);
  }
});

it('keeps the player and the spoken word visible in a low window', async () => {
  await page.viewport(960, 600);
  const media = await chosenTone(12);
  const words = Array.from({ length: 600 }, (_, index) => ({
    word: `word${index}`,
    start: index * 0.02 - 0.01,
    end: index * 0.02 + 0.01,
  }));
  const text = words.map(({ word }) => word).join(' ');
  show(
    runView('transcription', {
      status: 'succeeded',
      finishedAt: Date.now(),
      state: { raw: text, text, words, format: 'verbose_json' },
    }),
    { file: createMediaReference(media.id) },
  );
  const screen = await panel({ width: 908, height: 576 });
  const slider = screen.getByRole('slider', { name: 'Position in tone.wav' });
  await expect.element(slider).toHaveAttribute('aria-valuemax', '12');
  slider.element().focus();
  for (const [keys, word] of [
    ['{PageUp}{PageUp}{PageUp}{PageUp}{PageUp}', 'word300'],
    ['{End}{Shift>}{ArrowLeft}{/Shift}', 'word550'],
  ] as const) {
    await userEvent.keyboard(keys);
    await expect
      .element(screen.getByRole('button', { name: word, exact: true }))
      .toBeInViewport({ ratio: 1 });
    await expect.element(slider).toBeInViewport({ ratio: 1 });
  }
});

/** Holds the bundled speech file until the returned function is called. */
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

it('focuses Run after an example, and restores parameters and newer audio on Undo', async () => {
  main.runs = [runView('transcription', { id: 'started' })];
  const loadExample = holdExampleSpeech();
  setParameter(transcriptionForm, 'response_format', 'vtt');
  setParameter(transcriptionForm, 'temperature', 0.4);
  const screen = await panel();
  const example = screen.getByRole('button', { name: /^Subtitles/ });
  await expect.element(example).toBeVisible();
  const focused: string[] = [];
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element) focused.push(target.textContent ?? '');
  };
  document.addEventListener('focusin', note);
  onTestFinished(() => document.removeEventListener('focusin', note));
  await example.click();
  const own = await chosenTone(1);
  await expect.element(screen.getByRole('group', { name: 'tone.wav' })).toBeVisible();
  loadExample();
  await expect.poll(() => main.started.length).toBe(1);
  await expect.element(example).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: /^(Run|Stop)$/ })).toHaveFocus();
  expect(focused.slice(1)).toHaveLength(1);
  expect(screen.getByText('Ready to transcribe').elements()).toEqual([]);
  const { mediaId } = transcriptionForm.state.getState().values.input;
  expect(mediaId).not.toBe(own.id);
  expect(main.started[0]?.request).toMatchObject({
    file: createMediaReference(mediaId ?? ''),
    response_format: 'srt',
    temperature: 0.4,
  });
  await expect.element(screen.getByText('Input replaced by the example')).toBeVisible();
  await screen.getByRole('button', { name: 'Undo' }).click();
  await expect.element(screen.getByRole('group', { name: 'tone.wav' })).toBeVisible();
  expect(transcriptionForm.state.getState().values).toMatchObject({
    input: { mediaId: own.id },
    params: { response_format: { value: 'vtt' }, temperature: { value: 0.4 } },
  });
});

/** Selects a tone whose reported size exceeds the limit of most gateways. */
async function chosenLarge(fields: Partial<Media> = {}) {
  const media = { ...(await storedTone(1)), sizeBytes: 30_000_000, ...fields };
  main.media.set(media.id, media);
  chooseAudio(media.id);
  return media;
}

it('cancels one smaller copy, explains why another failed, and keeps the original', async () => {
  const garbage = await uploadMedia(textFile('damaged.wav', 'audio/wav'));
  const media = await chosenLarge({ id: garbage.id, name: 'damaged.wav' });
  const screen = await panel();
  const offer = screen.getByRole('region', { name: 'File size' });
  const make = offer.getByRole('button', { name: 'Make a smaller copy' });
  const { orders, release } = holdSmallerCopies();
  await make.click();
  await expect.element(screen.getByRole('progressbar')).toBeVisible();
  expect(orders).toHaveLength(1);
  const cancel = offer.getByRole('button', { name: 'Cancel' });
  await expect.element(cancel).toHaveFocus();
  await cancel.click();
  await expect.element(screen.getByRole('progressbar')).not.toBeInTheDocument();
  await expect.element(make).toHaveFocus();
  const failure = screen.getByText('Couldn’t make a smaller copy of “damaged.wav”.');
  expect(failure.elements()).toEqual([]);
  release();
  await make.click();
  await expect.element(failure).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Send the original' })).toBeVisible();
  expect(transcriptionForm.state.getState().values.input.mediaId).toBe(media.id);
});

/** Records requests for smaller copies, and starts none until `release` is called. */
function holdSmallerCopies() {
  const orders: unknown[] = [];
  const original = Worker.prototype.postMessage;
  const posting = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
    this: Worker,
    ...message: unknown[]
  ) {
    const [order] = message;
    if (typeof order === 'object' && order !== null && 'bitsPerSecond' in order) orders.push(order);
    else Reflect.apply(original, this, message);
  });
  const release = () => posting.mockRestore();
  onTestFinished(release);
  return { orders, release };
}

it('creates and sends a smaller copy if the gateway rejects a file with 413', async () => {
  main.runs = [runView('transcription', { id: 'started' })];
  const media = await chosenTone(2);
  const request = { file: createMediaReference(media.id) };
  const gateway = {
    status: 413,
    type: null,
    param: null,
    code: null,
    message: 'Request Entity Too Large',
    requestId: null,
    bodyExcerpt: null,
  };
  const error = {
    kind: 'http' as const,
    message: 'Too large.',
    nextStep: 'Make the request smaller.',
    gateway,
    detail: null,
    retryAfterSeconds: null,
  };
  show(runView('transcription', { status: 'failed', finishedAt: Date.now(), error }), request);
  const screen = await panel();
  const offer = screen.getByRole('region', { name: 'File size' });
  await expect.element(offer).toMatchTextContent(/refused this file: 32\.0 kB.*about 12\.0 kB/);
  await offer.getByRole('button', { name: 'Make a smaller copy' }).click();
  await expect
    .element(screen.getByText(/Sending a smaller copy: 1\d\.\d kB\. .*“tone\.wav” \(32\.0 kB\)/))
    .toBeVisible();
  await expect.element(screen.getByText('tone (smaller copy).mp3').first()).toBeVisible();
  await expect.element(screen.getByText(/MP3 · 0:02\.\d · 16 kHz · mono/)).toBeVisible();
  expect((await requestMedia(getMediaUrl(media.id))).ok).toBe(true);
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => main.started.length).toBe(1);
  const { mediaId } = transcriptionForm.state.getState().values.input;
  expect(mediaId).not.toBe(media.id);
  expect(main.started[0]?.request).toMatchObject({ file: createMediaReference(mediaId ?? '') });
});
