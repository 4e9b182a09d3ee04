import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { SpokenWords } from '../../renderer/features/transcription/spoken-words.tsx';
import { TranscriptionPanel } from '../../renderer/features/transcription/transcription-panel.tsx';
import {
  chooseAudio,
  showView,
  transcriptionForm,
} from '../../renderer/features/transcription/transcription-store.ts';
import { sendToPanel } from '../../renderer/media/hand-over/hand-over.ts';
import { appError } from '../../shared/errors.ts';
import { createMediaReference, type Media } from '../../shared/media.ts';
import { runView } from '../fixtures/run-view.ts';
import { storedTone, textFile } from './media-fixtures.ts';
import { main } from './panel-fake-main.ts';
import { PanelPage, resetPanels, show } from './panel-fixtures.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import './panel-fake-main.ts';

describe('the panel', () => {
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

  it('doesn’t call a failed request for other audio a transcript', async () => {
    const other = await storedTone(1);
    main.media.set(other.id, { ...other, name: 'talk.mp3' });
    await chosenTone(2);
    const failed = { status: 'failed' as const, finishedAt: Date.now() };
    const error = appError('unexpected', 'The gateway failed.', 'Retry.');
    show(runView('transcription', { ...failed, error }), { file: createMediaReference(other.id) });
    const screen = await panel();
    await expect
      .element(screen.getByText('This request was for “talk.mp3”, not of the audio above.'))
      .toBeVisible();
  });

  it('calls speakers in verbose_json by the requested format', async () => {
    const media = await chosenTone(2);
    const state = { text: 'Hi', raw: '{}', requestedFormat: 'verbose_json' };
    show(
      runView('transcription', {
        status: 'succeeded',
        state: { ...state, format: 'diarized_json' as const },
      }),
      { file: createMediaReference(media.id) },
    );
    const screen = await panel();
    await expect.element(screen.getByText('verbose_json with speakers')).toBeVisible();
  });

  it('shows upload progress, then the wait, then durations to a tenth of a second', async () => {
    const media = await chosenTone(2);
    const request = { file: createMediaReference(media.id) };
    const upload = { doneBytes: 1000, totalBytes: 4000 };
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
    onTestFinished(() => clock.mockRestore());
    const createdAt = now - 13_500;
    show(runView('transcription', { createdAt, state: { upload } }), request);
    const screen = await panel();
    const bar = screen.getByRole('progressbar', { name: 'Uploading audio' });
    await expect.element(bar).toHaveAttribute('aria-valuenow', '1000');
    await expect.element(screen.getByText('Uploaded 1.0 kB of 4.0 kB')).toBeVisible();
    const sent = { upload: { doneBytes: 4000, totalBytes: 4000 }, uploadedAtMs: 1000 };
    show(runView('transcription', { createdAt, seq: 2, state: sent }), request);
    await expect.element(screen.getByText(/Waiting for the transcript… 0:12$/)).toBeVisible();
    await expect.element(bar).not.toBeInTheDocument();

    const segments = [
      { id: 0, start: 0.2, end: 0.7, text: 'Yes.' },
      { id: 1, start: 0.7, end: 1.9, text: 'No.' },
    ];
    const heard = {
      raw: '{}',
      text: 'Yes. No.',
      segments,
      durationSeconds: 3,
      format: 'verbose_json' as const,
    };
    const ended = { status: 'succeeded', finishedAt: Date.now(), seq: 3 } as const;
    showView('segments');
    show(runView('transcription', { ...ended, state: heard }), request);
    // The gateway reports a duration of three seconds, which is wrong.
    for (const text of [/\/ 0:02\.0$/, '0:00.2 – 0:00.7', '0:00.7 – 0:01.9']) {
      await expect.element(screen.getByText(text)).toBeVisible();
    }
  });

  it('clears a file’s error when the user chooses another file', async () => {
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

  it('reports audio added or replaced by other panels, and skips duplicates', async () => {
    const screen = await panel();
    const [first, second] = await Promise.all([storedTone(0.1), storedTone(0.2)]);
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

  /** Selects a tone whose reported size exceeds the limit of most gateways. */
  async function chosenLarge(fields: Partial<Media> = {}) {
    const media = { ...(await storedTone(1)), sizeBytes: 30_000_000, ...fields };
    main.media.set(media.id, media);
    chooseAudio(media.id);
    return media;
  }

  it('doesn’t upload a large file until the user chooses which version to send', async () => {
    main.runs = [runView('transcription', { id: 'started' })];
    const media = await chosenLarge();
    const screen = await panel();
    const offer = screen.getByRole('region', { name: 'File size' });
    await expect.element(offer).toMatchTextContent(/30\.0 MB.*refuse more than 25\.0 MB/);
    await expect.element(offer).toMatchTextContent(/mono, 16 kHz, MP3, about 6\.0 kB/);
    // A blocked Run button still accepts clicks, and then shows the problem.
    const run = screen.getByRole('button', { name: 'Run', exact: true });
    await run.click({ force: true });
    await expect.element(offer.getByRole('button', { name: 'Make a smaller copy' })).toHaveFocus();
    expect(main.started).toHaveLength(0);
    await offer.getByRole('button', { name: 'Send the original' }).click();
    await run.click();
    await expect.poll(() => main.started.length).toBe(1);
    expect(main.started[0]?.request).toMatchObject({ file: createMediaReference(media.id) });
  });
});

describe('a transcript', () => {
  const words = Array.from({ length: 900 }, (_, index) => ({
    word: `word${index}`,
    start: index * 0.4,
    end: index * 0.4 + 0.4,
  }));
  const frame = { display: 'flex', flexDirection: 'column', height: 300, width: 600 } as const;

  function tabStops(container: Element): number {
    return container.querySelectorAll('button[tabindex="0"]').length;
  }

  describe('the words of a long transcript', () => {
    const shown = (active: number, onWord = vi.fn()) => (
      <div style={frame}>
        <SpokenWords words={words} active={active} onWord={onWord} />
      </div>
    );

    it('gives words one Tab stop, plays the focused one, and follows it during playback', async () => {
      const onWord = vi.fn();
      const screen = await render(shown(3, onWord));
      expect(tabStops(screen.container)).toBe(1);
      await userEvent.tab();
      await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}{Enter}');
      expect(onWord).toHaveBeenLastCalledWith(4);
      for (const [active, key, word] of [
        [500, 'ArrowRight', 5],
        [501, 'ArrowLeft', 4],
        [501, 'End', 899],
      ] as const) {
        await screen.rerender(shown(active, onWord));
        await userEvent.keyboard(`{${key}}`);
        expect(document.activeElement?.textContent).toBe(`word${word}`);
      }
      await userEvent.keyboard('{Enter}');
      expect(onWord).toHaveBeenLastCalledWith(899);
      expect(tabStops(screen.container)).toBe(1);
    });
  });
});
