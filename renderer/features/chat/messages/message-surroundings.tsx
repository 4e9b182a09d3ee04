import type { ReactNode } from 'react';
import { api } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { ImageView } from '../../../media/players/image-view.tsx';
import { LinkOpenerContext } from '../../../ui/markdown/inline.tsx';
import { type RemoteImages, RemoteImagesContext } from '../../../ui/markdown/remote-image.tsx';
import { showToast } from '../../../ui/show-toast.ts';
import { ExpectsJsonContext } from '../answer/schema-check.tsx';

interface MessageSurroundingsProps {
  /** Whether this conversation asks for JSON. */
  expectsJson: boolean;
  children: ReactNode;
}

function openOutside(url: string): void {
  api.system
    .openExternal({ url })
    .catch((error: unknown) => showToast({ message: toAppError(error).message, tone: 'danger' }));
}

const openLink = location.protocol === 'app:' ? openOutside : null;

const remoteImages: RemoteImages = {
  fetchImage: (url) => api.media.fetchRemote({ url }),
  showImage: (media, title) => <ImageView media={media} title={title} />,
};

/** What messages use, however deep in them. */
export function MessageProviders({ expectsJson, children }: MessageSurroundingsProps) {
  return (
    <LinkOpenerContext value={openLink}>
      <RemoteImagesContext value={remoteImages}>
        <ExpectsJsonContext value={expectsJson}>{children}</ExpectsJsonContext>
      </RemoteImagesContext>
    </LinkOpenerContext>
  );
}
