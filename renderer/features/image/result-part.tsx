import type { Media } from '../../../shared/media.ts';
import type { ImagePart } from '../../../shared/operations/image/state.ts';
import { MediaFacts } from '../../media/players/media-facts.tsx';
import { MediaView } from '../../media/players/media-view.tsx';
import { type AskedImage, askedWords } from './asked-image.ts';
import { PictureActions } from './picture-actions.tsx';
import styles from './result.module.css';

interface ResultPartProps {
  part: ImagePart;
  media: readonly Media[];
  asked: AskedImage;
  /** What the picture is called. */
  title: string;
}

export function ResultPart({ part, media, asked, title }: ResultPartProps) {
  switch (part.type) {
    case 'text':
      return part.thought ? (
        <Thought text={part.text} />
      ) : (
        <p className={styles.text}>{part.text}</p>
      );
    case 'media': {
      const found = media.find(({ id }) => id === part.mediaId);
      return found === undefined ? (
        <p className={styles.waiting}>The image is being stored.</p>
      ) : (
        <Picture media={found} asked={asked} title={title} />
      );
    }
    case 'link':
      return (
        <p className={styles.text}>
          An image at an address: <code className={styles.code}>{part.url}</code>
        </p>
      );
    case 'unknown':
      return (
        <details className={styles.unknown}>
          <summary>A part of a kind that is not known here</summary>
          <pre className={styles.code}>{JSON.stringify(part.raw, null, 2)}</pre>
        </details>
      );
  }
}

function Picture({ media, asked, title }: { media: Media; asked: AskedImage; title: string }) {
  const words = askedWords(asked);
  return (
    <figure className={styles.picture}>
      <div className={styles.frame}>
        <MediaView media={media} title={title} actions={<PictureActions media={media} />} />
      </div>
      <figcaption className={styles.caption}>
        <MediaFacts media={media} asked={{ aspectRatio: asked.aspectRatio }} />
        {words !== '' && <span className={styles.askedFor}>asked: {words}</span>}
        <span className={styles.pictureActions}>
          <PictureActions media={media} download />
        </span>
      </figcaption>
    </figure>
  );
}

function Thought({ text }: { text: string }) {
  return (
    <details className={styles.unknown}>
      <summary>Thought</summary>
      <p className={styles.thought}>{text}</p>
    </details>
  );
}
