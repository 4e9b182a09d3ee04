import type { Media } from '../../../shared/media.ts';
import type { ImageCandidate } from '../../../shared/operations/image/state.ts';
import { Button } from '../../ui/button.tsx';
import type { AskedImage } from './asked-image.ts';
import styles from './result.module.css';
import { ResultPart } from './result-part.tsx';
import { modelTurn } from './turns.ts';

interface CandidateProps {
  candidate: ImageCandidate;
  /** Null where there is only one. */
  number: number | null;
  media: readonly Media[];
  asked: AskedImage;
  /** Undefined while it is still arriving. */
  onContinue: (() => void) | undefined;
}

/** One answer: its role, its parts, and a way on. */
export function Candidate({ candidate, number, media, asked, onContinue }: CandidateProps) {
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
            asked={asked}
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
