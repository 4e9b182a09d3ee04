import type { Media } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/show-toast.ts';
import { fetchSamples } from '../peaks/use-audio-source.ts';
import { type WavShape, wavBlob } from '../peaks/wav.ts';
import { DownloadButton } from './download-button.tsx';
import { saveBlob } from './save-media.ts';

/** Raw samples can also be saved with a header, so that other programs take them. */
export function AudioDownload({ media, pcm }: { media: Media; pcm: WavShape | undefined }) {
  return (
    <>
      <DownloadButton media={media} />
      {pcm !== undefined && media.complete && (
        <Button variant="quiet" size="small" onClick={() => void saveAsWav(media, pcm)}>
          Download as WAV
        </Button>
      )}
    </>
  );
}

async function saveAsWav(media: Media, pcm: WavShape): Promise<void> {
  try {
    const name = (media.name ?? 'speech').replace(/\.(pcm|raw|bin)$/i, '');
    saveBlob(wavBlob(await fetchSamples(media.id), pcm), `${name}.wav`);
  } catch {
    showToast({ message: 'The sound could not be read; try again.', tone: 'danger' });
  }
}
