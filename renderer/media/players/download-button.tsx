import { getMediaDownloadUrl, type Media } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { showInlineNote } from '../../ui/inline-note.ts';

export function DownloadButton({ media }: { media: Media }) {
  return (
    <Button
      variant="quiet"
      size="small"
      icon={<DownloadIcon size={14} />}
      disabledReason={media.complete ? null : 'Available when complete.'}
      onClick={() => saveMedia(media)}
    >
      Download
    </Button>
  );
}

export function saveMedia(media: Pick<Media, 'id' | 'name'>): void {
  saveUrl(getMediaDownloadUrl(media.id), media.name ?? '');
  noteDownload();
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveUrl(url, name);
  noteDownload();
  // Some browsers read the URL only after the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads the file at `href` through the browser or the desktop app. */
export function saveUrl(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}

/** The desktop app shows a Save dialog instead, which the user may cancel. */
export const DOWNLOAD_NOTE = location.protocol === 'app:' ? null : 'Download started';

function noteDownload(): void {
  const { activeElement } = document;
  if (activeElement !== null && DOWNLOAD_NOTE !== null)
    showInlineNote(activeElement, DOWNLOAD_NOTE);
}
