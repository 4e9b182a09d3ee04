import type { Media } from '../../../shared/media.ts';
import type { ImageCandidate, ImagePart } from '../../../shared/operations/image/state.ts';
import { SendToButtons } from '../../media/hand-over/send-to.tsx';
import { DownloadButton } from '../../media/players/download-button.tsx';
import { MediaFacts } from '../../media/players/media-facts.tsx';
import { MediaView } from '../../media/players/media-view.tsx';
import { Button } from '../../ui/button.tsx';
import { type RequestedImage, requestedWords } from './requested-image.ts';
import styles from './result.module.css';
import { modelTurn } from './turns.ts';

interface CandidateProps {
  candidate: ImageCandidate;
  /** Null where there is only one. */
  number: number | null;
  media: readonly Media[];
  requested: RequestedImage;
  /** Undefined while it is still arriving. */
  onContinue: (() => void) | undefined;
}

/** One answer: its role, its parts, and a way on. */
export function Candidate({ candidate, number, media, requested, onContinue }: CandidateProps) {
  const { role, parts, finishReason } = candidate;
  const pictures = parts.filter(({ type }) => type === 'media').length;
  let picture = 0;
  return (
    <article className={styles.candidate} aria-label={number === null ? role : `${role} ${number}`}>
      <p className={styles.candidateHead}>
        <span className={styles.role}>{role}</span>
        {number !== null && <span>candidate {number}</span>}
        {finishReason !== null && <span className={styles.reason}>{finishReason}</span>}
      </p>
      {parts.map((part, index) => {
        if (part.type === 'media') picture += 1;
        return (
          <ResultPart
            // biome-ignore lint/suspicious/noArrayIndexKey: parts only ever grow at the end.
            key={index}
            part={part}
            media={media}
            requested={requested}
            title={pictures > 1 ? `image ${picture}` : 'image'}
          />
        );
      })}
      {onContinue !== undefined && modelTurn(candidate) !== null && (
        <div>
          <Button size="small" onClick={onContinue}>
            Continue from here
          </Button>
        </div>
      )}
    </article>
  );
}

interface ResultPartProps {
  part: ImagePart;
  media: readonly Media[];
  requested: RequestedImage;
  /** What the picture is called. */
  title: string;
}

function ResultPart({ part, media, requested, title }: ResultPartProps) {
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
        <p className={styles.waiting}>Saving image…</p>
      ) : (
        <Picture media={found} requested={requested} title={title} />
      );
    }
    case 'link':
      return (
        <p className={styles.text}>
          Image URL: <code className={styles.code}>{part.url}</code>
        </p>
      );
    case 'unknown':
      return (
        <details className={styles.unknown}>
          <summary>Unknown part type</summary>
          <pre className={styles.code}>{JSON.stringify(part.raw, null, 2)}</pre>
        </details>
      );
  }
}

function Picture({
  media,
  requested,
  title,
}: {
  media: Media;
  requested: RequestedImage;
  title: string;
}) {
  const words = requestedWords(requested);
  return (
    <figure className={styles.picture}>
      <div className={styles.frame}>
        <MediaView media={media} title={title} />
      </div>
      <figcaption className={styles.caption}>
        <MediaFacts media={media} requested={{ aspectRatio: requested.aspectRatio }} />
        {words !== '' && <span className={styles.askedFor}>requested: {words}</span>}
        <span className={styles.pictureActions}>
          <SendToButtons media={media} />
          <DownloadButton media={media} />
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
