import type { CSSProperties } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { DownloadButton } from '../../renderer/media/players/download-button.tsx';
import { ImageView } from '../../renderer/media/players/image-view.tsx';
import { MediaView } from '../../renderer/media/players/media-view.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { medium } from '../fixtures/medium.ts';
import { storedTone, textFile, turnedPhoto } from './media-fixtures.ts';
import { recordNotes } from './notes.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

afterEach(() => vi.restoreAllMocks());

/** Limits the height, as a panel's card does. */
const lowCard: CSSProperties & Record<'--image-height', string> = { '--image-height': '120px' };

describe('an image', () => {
  it('reserves space before it loads', async () => {
    const size = { width: 2400, height: 1200 };
    const media = medium({ kind: 'image', type: 'image/png', ...size });
    const shown = async (style: CSSProperties) => {
      // The browser doesn't load images this far below the viewport.
      const screen = await render(
        <div style={{ marginTop: 50_000, ...style }}>
          <ImageView media={media} title="Lake" />
        </div>,
      );
      const { width, height } = screen.getByRole('img').element().getBoundingClientRect();
      await screen.unmount();
      return [width, height];
    };
    expect(await shown(lowCard)).toEqual([240, 120]);
    // The image has a one-pixel border.
    expect(await shown({ width: 202 })).toEqual([200, 100]);
  });

  it('keeps a rotated photo’s aspect ratio, even if an older version measured it wrong', async () => {
    const stored = await uploadMedia(await turnedPhoto(400, 200));
    expect([stored.width, stored.height]).toEqual([200, 400]);
    for (const media of [stored, { ...stored, width: 400, height: 200 }]) {
      const screen = await render(
        <div style={lowCard}>
          <ImageView media={media} title="Lake" />
        </div>,
      );
      const shape = () => {
        const { width, height } = screen.getByRole('img').element().getBoundingClientRect();
        return [width, height];
      };
      await expect.poll(shape).toEqual([60, 120]);
      await screen.unmount();
    }
  });

  it('reports a damaged image', async () => {
    const media = await uploadMedia(textFile('lake.png', 'image/png'));
    const screen = await render(<ImageView media={media} title="Lake" />);
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/can’t be shown/);
  });
});

describe('a media item of any kind', () => {
  it('displays media by the type of its bytes', async () => {
    const sound = await storedTone(0.1);
    const screen = await render(
      <>
        <MediaView media={sound} title="Sound" />
        <MediaView media={medium({ kind: 'video', type: 'video/mp4' })} title="Film" />
        <MediaView media={medium({ type: 'application/pdf', sizeBytes: 9 })} title="Paper" />
      </>,
    );
    await expect.element(screen.getByRole('slider', { name: 'Position in Sound' })).toBeVisible();
    await expect.element(screen.getByLabelText('Film')).toHaveAttribute('controls');
    const paper = screen.getByRole('group', { name: 'Paper' });
    await expect.element(paper.getByText('PDF · 9 B')).toBeVisible();
    await expect.element(paper.getByRole('button', { name: 'Download' })).toBeVisible();
  });
});

it('confirms on the button that a download has started', async () => {
  const started = vi
    .spyOn(HTMLAnchorElement.prototype, 'click')
    .mockImplementation(() => undefined);
  const notes = recordNotes();
  const screen = await render(<DownloadButton media={medium({ name: 'lake.png' })} />);
  const button = screen.getByRole('button', { name: 'Download' });
  await button.click();
  expect(started).toHaveBeenCalledOnce();
  expect(notes).toEqual([{ text: 'Download started', element: button.element() }]);
});
