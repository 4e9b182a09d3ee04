import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import { parseRoute } from '../../renderer/lib/route.ts';
import {
  type HandOver,
  type ReceivingPanel,
  useReceiver,
} from '../../renderer/media/hand-over/hand-over.ts';
import {
  listTargetPanels,
  SendToButtons,
  SendToMenu,
  sendTargets,
} from '../../renderer/media/hand-over/send-to.tsx';
import { VideoPlayer } from '../../renderer/media/players/video-player.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import type { Media } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';
import { recordNotes } from './notes.ts';

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
  const panels: ReceivingPanel[] = ['chat', 'image', 'video', 'rerank', 'speech', 'transcription'];
  return panels.map((panel) => <Taker key={panel} panel={panel} onTaken={onTaken} />);
}

it('offers panels for every kind of media, and names fields of the current panel', () => {
  expect(listTargetPanels({ kind: 'image' })).toEqual(['image', 'chat', 'video']);
  expect(listTargetPanels({ kind: 'audio' })).toEqual(['transcription', 'chat']);
  expect(listTargetPanels({ kind: 'video' })).toContain('chat');
  expect(listTargetPanels({ kind: 'file' })).toEqual(['chat']);
  const labels = sendTargets(['image', 'chat'], 'image').map(({ label }) => label);
  expect(labels).toEqual(['Attach to prompt', 'Send to chat']);
  const heard = sendTargets(['transcription', 'chat'], 'transcription');
  expect(heard.map(({ panel }) => panel)).toEqual(['chat']);
});

it('sends a result to another panel from a menu or a button', async () => {
  const taken = vi.fn();
  const content = (media: Media) => (
    <>
      <Takers onTaken={taken} />
      <SendToMenu media={media} />
      <SendToButtons media={media} />
    </>
  );
  const screen = await render(content(medium({ kind: 'audio' })));
  for (const [from, media, label, to] of [
    ['speech', medium({ kind: 'audio' }), 'Send to transcription', 'transcription'],
    ['speech', medium({ kind: 'audio' }), 'Send to chat', 'chat'],
    ['image', medium({ kind: 'image' }), 'Send to chat', 'chat'],
    ['image', medium({ kind: 'image' }), 'Send to video', 'video'],
    ['image', medium({ kind: 'image' }), 'Attach to prompt', 'image'],
    ['video', medium({ kind: 'video' }), 'Send to chat', 'chat'],
    ['video', medium({ kind: 'video', channels: 2 }), 'Send to transcription', 'transcription'],
  ] as const) {
    location.hash = `#/${from}`;
    await screen.rerender(content(media));
    if (to !== 'chat') {
      await screen.getByRole('button', { name: 'Send to', exact: true }).click();
      await screen.getByRole('menuitem', { name: label }).click();
      expect(taken).toHaveBeenLastCalledWith(to, { kind: 'media', media });
      expect(parseRoute(location.hash)?.panel).toBe(to);
      location.hash = `#/${from}`;
    }
    taken.mockClear();
    await screen.getByRole('button', { name: label }).last().click();
    expect(taken).toHaveBeenCalledExactlyOnceWith(to, { kind: 'media', media });
  }
  // A menu of one item is a button.
  await screen.rerender(<SendToMenu media={medium({ kind: 'video' })} />);
  await expect.element(screen.getByRole('button')).toHaveTextContent('Send to chat');
});

/** Records a second of two colors, as the browser records a canvas. */
async function filmed(): Promise<Media> {
  const canvas = document.createElement('canvas');
  canvas.width = 64;
  canvas.height = 48;
  document.body.append(canvas);
  const context = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
  const pieces: Blob[] = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const { promise, resolve } = Promise.withResolvers<void>();
  recorder.onstop = () => resolve();
  recorder.start();
  for (let frame = 0; frame < 12; frame += 1) {
    if (context === null) break;
    context.fillStyle = frame < 6 ? 'teal' : 'navy';
    context.fillRect(0, 0, 64, 48);
    await new Promise(requestAnimationFrame);
  }
  recorder.stop();
  await promise;
  canvas.remove();
  return uploadMedia(new Blob(pieces, { type: 'video/webm' }), { name: 'drawbridge.webm' });
}

/** Opens the video at its first frame, ready to send frames from the video panel. */
async function openFilm() {
  const taken = vi.fn();
  const media = await filmed();
  const screen = await render(
    <>
      <Takers onTaken={taken} />
      <VideoPlayer media={media} title="drawbridge" />
    </>,
  );
  const video = screen.container.querySelector('video') ?? document.createElement('video');
  await expect.poll(() => video.readyState).toBeGreaterThan(1);
  const sendFrame = async (label: string) => {
    location.hash = '#/video';
    await userEvent.click(screen.getByRole('button', { name: 'Use this frame' }));
    await screen.getByRole('menuitem', { name: label }).click();
  };
  return { screen, video, taken, sendFrame };
}

it('sends a video frame as an image once the player shows it', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  // Without a timeout, only the arriving frame ends the wait.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  const { screen, video, taken, sendFrame } = await openFilm();
  await sendFrame('Send to image');
  await expect.poll(() => taken.mock.calls).toHaveLength(1);
  const frame = { kind: 'image', width: 64, height: 48, name: 'drawbridge at 0.00.png' };
  expect(taken.mock.lastCall).toMatchObject(['image', { kind: 'media', media: frame }]);

  let shows = false;
  Object.defineProperty(video, 'readyState', {
    get: () => (shows ? HTMLMediaElement.HAVE_CURRENT_DATA : HTMLMediaElement.HAVE_METADATA),
  });
  const waits = vi.spyOn(video, 'addEventListener');
  await sendFrame('Send to chat');
  await vi.waitFor(() => expect(waits).toHaveBeenCalled());
  shows = true;
  video.dispatchEvent(new Event('loadeddata'));
  await expect.poll(() => taken.mock.calls).toHaveLength(2);

  waits.mockClear();
  shows = false;
  await sendFrame('Send to chat');
  await vi.waitFor(() => expect(waits).toHaveBeenCalled());
  video.dispatchEvent(new Event('seeked'));
  const alert = screen.getByRole('alert');
  await expect.element(alert).toMatchTextContent(/No video frame is available yet\./);
  expect(taken).toHaveBeenCalledTimes(2);
});

it('uses a video frame in each role of the next video, or saves it', async () => {
  const notes = recordNotes();
  const { taken, sendFrame } = await openFilm();
  for (const [label, slot] of [
    ['Use as first frame', undefined],
    ['Use as last frame', 'lastFrame'],
    ['Add as reference', 'references'],
  ] as const) {
    taken.mockClear();
    await sendFrame(label);
    await expect.poll(() => taken.mock.calls.length, { message: label }).toBe(1);
    const [panel, item] = taken.mock.lastCall ?? [];
    expect(panel).toBe('video');
    expect(item).toMatchObject({ kind: 'media', media: { kind: 'image' } });
    expect(item.slot).toBe(slot);
  }
  await sendFrame('Save to library');
  await expect.poll(() => notes).toMatchObject([{ text: 'Saved to the library' }]);
  expect(taken).toHaveBeenCalledTimes(1);
});
