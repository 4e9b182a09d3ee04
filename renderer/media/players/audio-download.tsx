import type { Media } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import type { RawSamples } from '../peaks/use-raw-samples.ts';
import { wavBlob } from '../peaks/wav.ts';
import { DownloadButton } from './download-button.tsx';
import { saveBlob } from './save-media.ts';

interface AudioDownloadProps {
  media: Media;
  raw: RawSamples | null;
}

/** Raw samples can also be saved with a header, so that other programs take them. */
export function AudioDownload({ media, raw }: AudioDownloadProps) {
  const name = (media.name ?? 'speech').replace(/\.(pcm|raw|bin)$/i, '');
  const bytes = raw?.bytes ?? null;
  return (
    <>
      <DownloadButton media={media} />
      {raw !== null && bytes !== null && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => saveBlob(wavBlob(bytes, raw.shape), `${name}.wav`)}
        >
          Download as WAV
        </Button>
      )}
    </>
  );
}
