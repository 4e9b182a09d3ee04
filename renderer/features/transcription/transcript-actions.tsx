import type { TranscriptionState } from '../../../shared/operations/transcription/state.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { Menu } from '../../ui/menu.tsx';
import { formatsOf, transcriptFile } from './transcript-files.ts';

export function TranscriptActions({ state }: { state: TranscriptionState }) {
  return (
    <>
      <CopyButton label="Copy text" content={() => state.text} />
      <Menu
        label="Export"
        icon={<DownloadIcon size={14} />}
        size="small"
        align="end"
        items={formatsOf(state).map((format) => ({
          id: format,
          label: `Save as .${format}`,
          onSelect: () =>
            saveBlob(new Blob([transcriptFile(state, format)]), `transcript.${format}`),
        }))}
      />
    </>
  );
}
