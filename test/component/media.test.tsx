import type { CSSProperties } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { chooseAudio } from '../../renderer/features/transcription/transcription-store.ts';
import { orpc } from '../../renderer/lib/api.ts';
import { useActivities } from '../../renderer/lib/panel-activity.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { parseRoute } from '../../renderer/lib/route.ts';
import { getRecorder } from '../../renderer/media/capture/recorder.ts';
import { RecorderControls } from '../../renderer/media/capture/recorder-controls.tsx';
import {
  type HandOver,
  type ReceivingPanel,
  sendToPanel,
  useReceiver,
} from '../../renderer/media/hand-over/hand-over.ts';
import { SendTextMenu } from '../../renderer/media/hand-over/send-to.tsx';
import { AudioPlayer, type AudioPlayerHandle } from '../../renderer/media/players/audio-player.tsx';
import { ImageView } from '../../renderer/media/players/image-view.tsx';
import { audio, images, type MediaFilter } from '../../renderer/media/uploads/media-filter.ts';
import {
  AttachButton,
  DropZone,
  UploadList,
} from '../../renderer/media/uploads/upload-controls.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { useUploads } from '../../renderer/media/uploads/use-uploads.ts';
import { getMediaUrl, type Media } from '../../shared/media.ts';
import { WAV_HEADER_BYTES } from '../../shared/wav.ts';
import { medium } from '../fixtures/medium.ts';
import { recordedFor } from '../fixtures/recorded-time.ts';
import { pictureFile, storedTone, toneFile } from './media-fixtures.ts';
import { soundOf } from './waveform-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

describe('the recorder', () => {
  afterEach(async () => {
    // A failed test can leave its recorder running.
    getRecorder('transcription').cancel();
    await getRecorder('transcription').stop();
    vi.restoreAllMocks();
    localStorage.clear();
  });

  async function samplesOf(media: Media): Promise<Int16Array> {
    const bytes = await (await fetch(getMediaUrl(media.id))).arrayBuffer();
    return new Int16Array(bytes, WAV_HEADER_BYTES);
  }

  /** The frames of a captured block; the last one can be shorter. */
  const BLOCK_FRAMES = 2048;

  /** Counts the blocks that the microphone delivers during a pause and otherwise. */
  function countBlocks(): { recorded: number; paused: number } {
    const counts = { recorded: 0, paused: 0 };
    const { store, onLevel } = getRecorder('transcription');
    const stop = onLevel(() => {
      counts[store.getState().status === 'paused' ? 'paused' : 'recorded'] += 1;
    });
    onTestFinished(stop);
    return counts;
  }

  async function shownControls(onRecorded: (media: Media) => void = vi.fn()) {
    const screen = await render(<RecorderControls panel="transcription" onRecorded={onRecorded} />);
    const press = (name: string) => screen.getByRole('button', { name, exact: true }).click();
    return { screen, press };
  }

  describe('recording', () => {
    it('records 16-bit mono WAV and skips audio during a pause', async () => {
      const onRecorded = vi.fn<(media: Media) => void>();
      const { screen, press } = await shownControls(onRecorded);
      const heard = countBlocks();
      await press('Record');
      const meter = screen.getByRole('meter', { name: 'Input level' });
      await expect.element(meter).toBeVisible();
      // The fake microphone beeps every second.
      await expect.element(screen.getByText(recordedFor(1))).toBeVisible();
      await press('Pause');
      const shown = screen.getByText(/paused$/).element().textContent;
      // The microphone still delivers audio.
      await expect.poll(() => heard.paused).toBeGreaterThan(20);
      expect(screen.getByText(/paused$/).element().textContent).toBe(shown);
      await press('Resume');
      await press('Stop recording');
      await expect.poll(() => onRecorded.mock.calls.length).toBe(1);
      const media = onRecorded.mock.lastCall?.[0] ?? expect.fail();
      expect(media).toMatchObject({
        kind: 'audio',
        type: 'audio/wav',
        channels: 1,
        complete: true,
      });
      expect(media.durationSeconds).toBeGreaterThan(0.9);
      const samples = await samplesOf(media);
      expect(samples.length).toBeLessThanOrEqual(heard.recorded * BLOCK_FRAMES);
      expect(samples.some((sample) => Math.abs(sample) > 1000)).toBe(true);
      await expect
        .element(screen.getByRole('button', { name: 'Record', exact: true }))
        .toBeVisible();
    });

    it('shows one next step for each microphone error', async () => {
      const { screen, press } = await shownControls();
      const opening = vi.spyOn(navigator.mediaDevices, 'getUserMedia');
      for (const [name, message, nextStep] of [
        [
          'NotAllowedError',
          /Microphone access is blocked/,
          /Allow it in the browser’s address bar/,
        ],
        ['NotFoundError', /No microphone was found/, /Connect one/],
        ['NotReadableError', /The microphone couldn’t be opened/, /Another app may be using it/],
      ] as const) {
        opening.mockRejectedValue(new DOMException('It can’t be opened.', name));
        await press('Record');
        await expect.element(screen.getByRole('alert')).toMatchTextContent(message);
        await expect.element(screen.getByRole('alert')).toMatchTextContent(nextStep);
      }
      await expect
        .element(screen.getByRole('button', { name: 'Record', exact: true }))
        .toBeEnabled();
    });
  });
});

describe('uploads', () => {
  afterEach(() => vi.restoreAllMocks());

  const filter: MediaFilter = {
    kinds: ['image', 'audio'],
    words: 'an image or an audio file',
    contents: 'an image or audio',
    extensions: [...images.extensions, ...audio.extensions],
    maxBytes: null,
  };

  let places = 0;

  function Place({ place, onMedia }: { place: string; onMedia: (media: Media) => void }) {
    const uploads = useUploads({ place, filter, onMedia });
    return (
      <DropZone uploads={uploads} label="Drop files here">
        <textarea aria-label="Message" />
        <AttachButton uploads={uploads} filter={filter} />
        <UploadList uploads={uploads} />
      </DropZone>
    );
  }

  function transferOf(files: File[], text?: string): DataTransfer {
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    if (text !== undefined) transfer.setData('text/plain', text);
    return transfer;
  }

  async function shownPlace() {
    const onMedia = vi.fn<(media: Media) => void>();
    places += 1;
    const screen = await render(<Place place={`place ${places}`} onMedia={onMedia} />);
    const names = () => onMedia.mock.calls.map(([media]) => media.name);
    return { screen, onMedia, names };
  }

  describe('files for a request', () => {
    it('uploads files in the selected order, and measures them', async () => {
      const { screen, onMedia, names } = await shownPlace();
      const files = [await pictureFile(90, 50, 'a.png'), toneFile(0.1, 'b.wav')];
      await userEvent.upload(screen.getByLabelText('Attach files'), files);
      await expect.poll(names).toEqual(['a.png', 'b.wav']);
      expect(onMedia.mock.calls[0]?.[0]).toMatchObject({ kind: 'image', width: 90, height: 50 });
      await expect.element(screen.getByRole('progressbar')).not.toBeInTheDocument();
    });

    it('accepts dropped and pasted files, and leaves pasted text alone', async () => {
      const { screen, names } = await shownPlace();
      const message = screen.getByRole('textbox', { name: 'Message' }).element();
      const picture = await pictureFile(20, 20, 'dropped.png');
      const over = new DragEvent('dragover', {
        bubbles: true,
        cancelable: true,
        dataTransfer: transferOf([picture]),
      });
      message.dispatchEvent(over);
      await expect.element(screen.getByText('Drop files here')).toBeVisible();
      const drop = { bubbles: true, cancelable: true, dataTransfer: transferOf([picture]) };
      message.dispatchEvent(new DragEvent('drop', drop));
      await expect.poll(names).toEqual(['dropped.png']);
      const paste = (clipboardData: DataTransfer) => {
        const event = new ClipboardEvent('paste', {
          bubbles: true,
          cancelable: true,
          clipboardData,
        });
        message.dispatchEvent(event);
        return event.defaultPrevented;
      };
      expect(paste(transferOf([picture], 'the text of it'))).toBe(false);
      expect(paste(transferOf([await pictureFile(20, 20, 'image.png')]))).toBe(true);
      await expect.poll(() => names()[1]).toMatch(/^Pasted .+\.png$/);
    });

    it('cancels an upload', async () => {
      const original = window.fetch.bind(window);
      vi.spyOn(window, 'fetch').mockImplementation((url, init) =>
        init?.method === 'PUT'
          ? new Promise((_, reject) => {
              init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
            })
          : original(url, init),
      );
      const { screen, onMedia } = await shownPlace();
      await userEvent.upload(screen.getByLabelText('Attach files'), toneFile(0.1, 'long.wav'));
      const bar = screen.getByRole('progressbar', { name: 'Uploading long.wav' });
      await expect.element(bar).toBeVisible();
      await screen.getByRole('button', { name: 'Stop uploading long.wav' }).click();
      await expect.element(bar).not.toBeInTheDocument();
      expect(onMedia).not.toHaveBeenCalled();
    });
  });
});

describe('audio', () => {
  afterEach(() => {
    location.hash = '';
  });

  describe('the audio player', () => {
    it('plays and pauses stored audio, and seeks with the keyboard and the handle', async () => {
      const handle: { current: AudioPlayerHandle | null } = { current: null };
      const onTimeUpdate = vi.fn();
      const screen = await render(
        <AudioPlayer
          media={await storedTone(20)}
          title="Answer"
          onTimeUpdate={onTimeUpdate}
          ref={(player) => {
            handle.current = player;
          }}
        />,
      );
      const player = screen.getByRole('group', { name: 'Answer' });
      const sound = soundOf(screen.container);
      await player.getByRole('button', { name: 'Play' }).click();
      await expect.element(player.getByRole('button', { name: 'Pause' })).toBeVisible();
      await expect.poll(() => sound.currentTime).toBeGreaterThan(0.1);
      await player.getByRole('button', { name: 'Pause' }).click();
      expect(sound.paused).toBe(true);
      await expect.element(player.getByText(/\/ 0:20\.0$/)).toBeVisible();

      const slider = screen.getByRole('slider', { name: 'Position in Answer' });
      slider.element().focus();
      await userEvent.keyboard('{Home}{ArrowRight}{ArrowRight}{ArrowLeft}');
      expect(sound.currentTime).toBeCloseTo(5, 1);
      await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
      expect(sound.currentTime).toBeCloseTo(6, 1);
      await userEvent.keyboard('{End}');
      await expect.element(slider).toHaveAttribute('aria-valuetext', '0:20.0 of 0:20.0');
      await userEvent.keyboard('{Home} ');
      await expect.poll(() => sound.currentTime).toBeGreaterThan(0.1);
      expect(sound.paused).toBe(false);
      await userEvent.keyboard(' ');
      await expect.poll(() => sound.paused).toBe(true);

      handle.current?.playFrom(10);
      await expect.poll(() => onTimeUpdate.mock.lastCall?.[0]).toBeGreaterThan(10);
      expect(sound.paused).toBe(false);
    });

    it('stops in a hidden panel when other audio starts', async () => {
      location.hash = '#/transcription';
      const media = await storedTone(60);
      chooseAudio(media.id);
      const screen = await render(
        <AudioPlayer media={media} title="Speech" playsOnFrom="transcription" />,
      );
      const sound = soundOf(screen.container);
      await screen.getByRole('button', { name: 'Play' }).click();
      await expect.poll(() => sound.currentTime).toBeGreaterThan(0);
      location.hash = '#/speech';
      await screen.rerender(<p>Another panel</p>);
      expect(useActivities.getState().transcription?.description).toBe('Playing');
      expect(sound.paused).toBe(false);
      chooseAudio('another');
      expect(sound.paused).toBe(true);
      expect(useActivities.getState().transcription).toBeUndefined();
    });
  });
});

describe('images', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Limits the height, as a panel's card does. */
  const lowCard: CSSProperties & Record<'--image-height', string> = { '--image-height': '120px' };

  async function openedView() {
    const media = await uploadMedia(await pictureFile(1600, 800, 'lake.jpg'));
    const screen = await render(
      <div style={lowCard}>
        <ImageView media={media} title="Lake" />
      </div>,
    );
    await screen.getByRole('button', { name: 'Open Lake' }).click();
    const dialog = screen.getByRole('dialog', { name: 'lake.jpg' });
    const zoom = dialog.getByRole('status', { name: 'Zoom' });
    const percent = () => Number.parseInt(zoom.element().textContent, 10);
    await expect.poll(percent).toBeLessThan(100);
    return { screen, dialog, percent };
  }

  describe('an image', () => {
    it('opens full size, zooms by key, button and wheel, and copies a PNG', async () => {
      const written = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue();
      const { dialog, percent } = await openedView();
      const whole = percent();
      // Measure in the full view, because the card limits only its own image.
      const { width, height } = dialog.getByRole('img').element().getBoundingClientRect();
      expect(width / height).toBeCloseTo(2, 2);
      await userEvent.keyboard('1');
      await expect.poll(percent).toBe(100);
      await userEvent.keyboard('+');
      await expect.poll(percent).toBe(125);
      await dialog.getByRole('button', { name: 'Fit' }).click();
      await expect.poll(percent).toBe(whole);
      await dialog.getByRole('button', { name: '100%' }).click();
      await expect.poll(percent).toBe(100);
      const stage = dialog.getByRole('application').element();
      const wheel = new WheelEvent('wheel', { deltaY: -200, bubbles: true, cancelable: true });
      stage.dispatchEvent(wheel);
      expect(wheel.defaultPrevented).toBe(true);
      await expect.poll(percent).toBeGreaterThan(150);
      await dialog.getByRole('button', { name: 'Copy image' }).click();
      await vi.waitFor(() => expect(written).toHaveBeenCalled());
      const blob = await written.mock.lastCall?.[0][0]?.getType('image/png');
      const bitmap = await createImageBitmap(blob ?? new Blob());
      expect([blob?.type, bitmap.width, bitmap.height]).toEqual(['image/png', 1600, 800]);
    });
  });
});

describe('media for other panels', () => {
  type Taking = (panel: ReceivingPanel, item: HandOver) => void;

  beforeEach(() => {
    location.hash = '#/transcription';
  });

  function Taker({ panel, onTaken }: { panel: ReceivingPanel; onTaken: Taking }) {
    useReceiver(panel, (item) => {
      onTaken(panel, item);
      return false;
    });
    return null;
  }

  function Takers({ onTaken }: { onTaken: Taking }) {
    const panels: ReceivingPanel[] = [
      'chat',
      'image',
      'video',
      'rerank',
      'speech',
      'transcription',
    ];
    return panels.map((panel) => <Taker key={panel} panel={panel} onTaken={onTaken} />);
  }

  it('sends a text to Chat as a whole and to Rerank as documents', async () => {
    const taken = vi.fn();
    const screen = await render(
      <>
        <Takers onTaken={taken} />
        <SendTextMenu text="One. Two." runId="heard" documents={'One.\nTwo.'} />
      </>,
    );
    for (const [panel, text] of [
      ['rerank', 'One.\nTwo.'],
      ['chat', 'One. Two.'],
    ] as const) {
      await screen.getByRole('button', { name: 'Send to' }).click();
      await screen.getByRole('menuitem', { name: `Send to ${panel}` }).click();
      expect(taken).toHaveBeenLastCalledWith(panel, { kind: 'text', text, runId: 'heard' });
      expect(parseRoute(location.hash)?.panel).toBe(panel);
    }
  });

  it('caches a received media item unless a newer one is cached', async () => {
    const media = medium({ id: 'sent', kind: 'audio' });
    const { queryKey } = orpc.media.get.queryOptions({ input: { id: media.id } });
    await render(<Takers onTaken={() => undefined} />);
    sendToPanel('transcription', { kind: 'media', media: { ...media, name: 'sent.wav' } });
    expect(queryClient.getQueryData(queryKey)?.name).toBe('sent.wav');
    // The item was recorded with its run, so the page still asks the main process.
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
    sendToPanel('transcription', { kind: 'media', media: { ...media, name: 'older.wav' } });
    expect(queryClient.getQueryData(queryKey)?.name).toBe('sent.wav');
  });
});
