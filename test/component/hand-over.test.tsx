import { beforeEach, expect, test, vi } from 'vitest';
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
import { panelsFor, SendTextMenu, sendTargets } from '../../renderer/media/hand-over/send-to.tsx';
import { VideoPlayer } from '../../renderer/media/players/video-player.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import type { Media } from '../../shared/media.ts';

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
  const panels: ReceivingPanel[] = ['chat', 'image', 'video', 'rerank', 'speech'];
  return panels.map((panel) => <Taker key={panel} panel={panel} onTaken={onTaken} />);
}

test('a text is sent to chat whole and to rerank as documents', async () => {
  const taken = vi.fn();
  const screen = await render(
    <>
      <Takers onTaken={taken} />
      <SendTextMenu text="One. Two." documents={'One.\nTwo.'} />
    </>,
  );
  await screen.getByRole('button', { name: 'Send to' }).click();
  await screen.getByRole('menuitem', { name: 'Send to rerank' }).click();
  expect(taken).toHaveBeenLastCalledWith('rerank', { kind: 'text', text: 'One.\nTwo.' });
  expect(parseRoute(location.hash)?.panel).toBe('rerank');
  await screen.getByRole('button', { name: 'Send to' }).click();
  await screen.getByRole('menuitem', { name: 'Send to chat' }).click();
  expect(taken).toHaveBeenLastCalledWith('chat', { kind: 'text', text: 'One. Two.' });
});

test('every kind of medium has a panel that accepts it', () => {
  expect(panelsFor({ kind: 'image' })).toEqual(['image', 'chat', 'video']);
  expect(panelsFor({ kind: 'audio' })).toEqual(['transcription', 'chat']);
  expect(panelsFor({ kind: 'video' })).toContain('chat');
  expect(panelsFor({ kind: 'file' })).toEqual(['chat']);
});

test('a panel is offered by its own name, or as what is being written in it', () => {
  expect(sendTargets(['image', 'chat'], 'image').map(({ label }) => label)).toEqual([
    'Attach to prompt',
    'Send to chat',
  ]);
  expect(sendTargets(['transcription', 'chat'], 'transcription').map(({ panel }) => panel)).toEqual(
    ['chat'],
  );
});

/** A second of two colors, as the browser records a canvas. */
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

test('one frame of a video becomes a picture for another panel', async () => {
  const taken = vi.fn();
  const media = await filmed();
  const screen = await render(
    <>
      <Takers onTaken={taken} />
      <VideoPlayer media={media} title="drawbridge" />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Use this frame' }));
  await screen.getByRole('menuitem', { name: 'Send to image' }).click();
  await vi.waitFor(() => expect(taken).toHaveBeenCalled());
  expect(taken.mock.lastCall).toMatchObject([
    'image',
    {
      kind: 'media',
      media: { kind: 'image', width: 64, height: 48, name: 'drawbridge at 0.00.png' },
    },
  ]);
});
