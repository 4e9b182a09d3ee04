import { beforeEach, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';

import { SpeechPanel } from '../../renderer/features/speech/speech-panel.tsx';
import { speechForm, writeText } from '../../renderer/features/speech/speech-store.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { getTextRun } from '../../renderer/run/form/text-source.ts';
import { runView } from '../fixtures/run-view.ts';
import { storedTone, tone } from './media-fixtures.ts';
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
  expect(getTextRun(speechForm, { input: 'Well: What was heard, and more' })).toBe('heard');
  expect(getTextRun(speechForm, { input: 'What I say' })).toBeNull();
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

it('plays an earlier take of raw samples at the rate that it was played at', async () => {
  const rate = 44_100;
  const raw = async (id: string) => {
    const file = new File([tone(3, rate)], `${id}.pcm`, { type: 'audio/pcm' });
    const media = { ...(await uploadMedia(file)), kind: 'audio' as const, type: 'audio/pcm' };
    return runView('speech', {
      id,
      preview: id,
      status: 'succeeded',
      finishedAt: Date.now(),
      media: [media],
      state: { media, receivedFormat: 'pcm', receivedBytes: media.sizeBytes },
    });
  };
  const [first, second] = [await raw('first'), await raw('second')];
  show(first, { input: 'first' });
  const { screen } = await panel();
  const result = screen.getByRole('region', { name: 'Result' });
  await result.getByRole('spinbutton', { name: 'Sample rate (Hz)' }).fill(String(rate));
  const [id = ''] = first.media.map((item) => item.id);
  await expect.poll(() => main.media.get(id)?.sampleRate).toBe(rate);
  // The main process lists the run with what is known of its file.
  const [kept = expect.fail()] = [main.media.get(id)].flatMap((item) => item ?? []);
  layDown({ ...first, media: [kept] }, { input: 'first' });
  await queryClient.invalidateQueries();
  speechForm.change({ input: { sampleRate: 24_000 } });
  show(second, { input: 'second' });
  // A take keeps the rate at which it was first shown, too.
  const [secondId = ''] = second.media.map((item) => item.id);
  await expect.poll(() => main.media.get(secondId)?.sampleRate).toBe(24_000);
  const takes = screen.getByRole('region', { name: 'Earlier takes' });
  await expect.element(takes.getByText('0:03.0', { exact: false })).toBeVisible();
  await takes.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => playing().map(({ duration }) => Math.round(duration))).toEqual([3]);
  expect(takes.getByRole('alert').elements()).toEqual([]);
});

it('says the limit in every view, and splits a longer text at sentences into takes', async () => {
  const { screen, text } = await panel();
  const sentence = `${'A gate opens at dawn '.repeat(50).trim()}. `;
  await text.fill(sentence.repeat(5));
  await expect.element(text).toHaveAccessibleDescription(/over the 4,096 limit/);
  await screen.getByRole('radio', { name: 'JSON' }).click();
  await expect.element(screen.getByText(/over the 4,096 limit\.$/).first()).toBeVisible();
  await screen.getByRole('button', { name: 'Split into 2 takes' }).click();
  await expect.poll(() => main.started.length).toBe(2);
  expect(main.started.map(({ request }) => String(request.input).length)).toEqual([
    3 * sentence.length - 1,
    2 * sentence.length - 1,
  ]);
  await screen.getByRole('radio', { name: 'Form' }).click();
});
