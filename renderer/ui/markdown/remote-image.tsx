/** A remote image that the main process fetches only when the reader asks for it. */
import { createContext, type ReactNode, useContext, useState } from 'react';
import type { Media } from '../../../shared/media.ts';
import { Button } from '../button.tsx';
import { readImageSource } from './image-source.ts';
import styles from './markdown.module.css';

interface RemoteImageProps {
  href: string;
  alternativeText: string;
}

export function RemoteImage({ href, alternativeText }: RemoteImageProps) {
  const source = readImageSource(href);
  switch (source.kind) {
    case 'dead':
      return <span className={styles.dead}>{alternativeText}</span>;
    case 'inline':
      return <img className={styles.image} src={source.url} alt={alternativeText} loading="lazy" />;
    case 'remote':
      return (
        <FetchedImage
          key={source.url}
          url={source.url}
          host={source.host}
          alternativeText={alternativeText}
        />
      );
  }
}

interface FetchedImageProps {
  url: string;
  host: string;
  alternativeText: string;
}

function FetchedImage({ url, host, alternativeText }: FetchedImageProps) {
  const images = useContext(RemoteImagesContext);
  const [media, setMedia] = useState<Media | null>(() => fetched.get(url) ?? null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function load() {
    if (images === null) return;
    setBusy(true);
    setProblem(null);
    try {
      const image = await images.fetchImage(url);
      fetched.set(url, image);
      setMedia(image);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  if (media !== null && images !== null)
    return images.showImage(media, alternativeText || `Image from ${host}`);
  return (
    <span className={styles.blockedImage}>
      {images === null ? (
        <span>Image at {url}</span>
      ) : (
        <Button size="small" title={url} busy={busy} onClick={() => void load()}>
          Load image from {host}
        </Button>
      )}
      <span>{problem ?? alternativeText}</span>
    </span>
  );
}

export interface RemoteImages {
  /** Rejects with an error whose message is shown in place of the image. */
  fetchImage: (url: string) => Promise<Media>;
  showImage: (media: Media, title: string) => ReactNode;
}

/** If null, images appear as URLs. */
export const RemoteImagesContext = createContext<RemoteImages | null>(null);

/** Caches fetched images by URL, because messages unmount when scrolled out of view. */
const fetched = new Map<string, Media>();
