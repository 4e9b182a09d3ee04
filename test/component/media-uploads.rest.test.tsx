import { WebMOutputFormat } from 'mediabunny';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MediaChip } from '../../renderer/media/players/media-chip.tsx';
import { audio, images, type MediaFilter } from '../../renderer/media/uploads/media-filter.ts';
import { toWireAudio } from '../../renderer/media/uploads/to-wire-audio.ts';
import {
  AttachButton,
  DropZone,
  UploadList,
  UrlField,
} from '../../renderer/media/uploads/upload-controls.tsx';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import { useUploads } from '../../renderer/media/uploads/use-uploads.ts';
import type { Media } from '../../shared/media.ts';
import { medium } from '../fixtures/medium.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import { opusFile, textFile, toneFile } from './media-fixtures.ts';
import { api } from './panel-fake-main.ts';

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

async function shownPlace() {
  const onMedia = vi.fn<(media: Media) => void>();
  places += 1;
  const screen = await render(<Place place={`place ${places}`} onMedia={onMedia} />);
  const names = () => onMedia.mock.calls.map(([media]) => media.name);
  return { screen, onMedia, names };
}

describe('files for a request', () => {
  it('rejects files by name or content, and removes uploaded parts', async () => {
    const remove = vi.spyOn(api.media, 'remove');
    const { screen, onMedia } = await shownPlace();
    const alert = screen.getByRole('alert');
    for (const [file, removals] of [
      [textFile('notes.txt', 'text/plain'), 0],
      [textFile('voice.wav', 'audio/wav'), 1],
    ] as const) {
      await userEvent.upload(screen.getByLabelText('Attach files'), file);
      await expect
        .element(alert)
        .toMatchTextContent(`“${file.name}” contains text, not an image or audio.`);
      expect(remove).toHaveBeenCalledTimes(removals);
      await alert.getByRole('button', { name: 'Dismiss' }).click();
      await expect.element(alert).not.toBeInTheDocument();
    }
    expect(onMedia).not.toHaveBeenCalled();
  });
});

describe('a URL in place of a file', () => {
  it('accepts a URL, or rejects it with a reason', async () => {
    const onUrl = vi.fn();
    const screen = await render(<UrlField label="Image URL" onUrl={onUrl} />);
    const field = screen.getByRole('textbox', { name: 'Image URL' });
    await field.fill('file:///etc/hosts');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText(/can’t fetch file: URLs/)).toBeVisible();
    await field.fill(' https://example.com/lake.png ');
    await userEvent.keyboard('{Enter}');
    expect(onUrl.mock.calls).toEqual([['https://example.com/lake.png']]);
  });
});

describe('audio for a message', () => {
  it('converts audio to 16-bit mono WAV unless it already is WAV', async () => {
    const wav = await uploadMedia(toneFile(0.1));
    expect(await toWireAudio(wav)).toBe(wav);
    const media = await uploadMedia(await opusFile(new WebMOutputFormat()), { name: 'voice.weba' });
    expect(media.kind).toBe('audio');
    const wire = await toWireAudio(media);
    expect(wire).toMatchObject({ type: 'audio/wav', name: 'voice.wav', channels: 1 });
    expect(wire.durationSeconds).toBeCloseTo(2, 1);
  });

  it('reports audio that can’t be decoded', async () => {
    const media = await uploadMedia(textFile('voice.ogg', 'audio/ogg'));
    await expect(toWireAudio(media)).rejects.toMatchObject({
      error: { kind: 'file', message: '“voice.ogg” couldn’t be decoded.' },
    });
  });
});

describe('an attachment chip', () => {
  const file = (isCut: boolean) =>
    medium({
      kind: 'file',
      type: 'image/png',
      name: 'the-first-frame.png',
      isCut,
      sizeBytes: 3000,
    });

  it('keeps its controls on one line in a narrow place', async () => {
    const screen = await render(
      <MediaChip media={file(true)} detail="PNG · 512 × 512 · 3.0 kB" onRemove={() => undefined} />,
    );
    const chip = screen.getByRole('group', { name: 'the-first-frame.png' });
    await expect.element(chip).toBeVisible();
    const place = screen.container;
    for (let width = 200; width <= 420; width += 1) {
      place.style.width = `${width}px`;
      expect(chip.element().getBoundingClientRect().height, `${width} px`).toBeLessThan(50);
      expect(chip.element().getBoundingClientRect().width).toBeLessThanOrEqual(width);
    }
  });

  it('warns about a file that ends too early', async () => {
    const screen = await render(<MediaChip media={file(true)} />);
    await expect
      .element(screen.getByText('The file ends too early. It may be damaged.'))
      .toBeInTheDocument();
    await expect.element(screen.getByText(/3\.0 kB · incomplete/)).toBeVisible();
    await screen.rerender(<MediaChip media={file(false)} />);
    expect(screen.getByText(/ends too early|incomplete/).elements()).toEqual([]);
  });
});
