/** An image of an answer: a remote one is fetched only when the user asks for it. */
import { useState } from 'react';
import { Button } from '../button.tsx';
import styles from './markdown.module.css';
import { imageSource } from './safe-links.ts';

interface RemoteImageProps {
  href: string;
  alternativeText: string;
}

export function RemoteImage({ href, alternativeText }: RemoteImageProps) {
  const [wanted, setWanted] = useState(false);
  const [failed, setFailed] = useState(false);
  const source = imageSource(href);
  if (source.kind === 'dead') return <span className={styles.dead}>{alternativeText}</span>;
  if (source.kind === 'remote' && (!wanted || failed)) {
    return (
      <span className={styles.blockedImage}>
        <Button size="small" title={source.url} onClick={() => [setWanted(true), setFailed(false)]}>
          Load image from {source.host}
        </Button>
        <span>{failed ? 'The image could not be loaded.' : alternativeText}</span>
      </span>
    );
  }
  return (
    <img
      className={styles.image}
      src={source.url}
      alt={alternativeText}
      referrerPolicy="no-referrer"
      loading="lazy"
      onError={() => setFailed(true)}
    />
  );
}
