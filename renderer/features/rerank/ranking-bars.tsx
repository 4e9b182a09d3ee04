import { useMemo, useState } from 'react';
import { VList } from 'virtua';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { Movement } from './movement.tsx';
import styles from './ranking.module.css';
import { barScale, problemWords, type RankedDocument } from './ranking.ts';

interface RankingBarsProps {
  documents: RankedDocument[];
  sentCount: number;
}

/** A bar for each score; a click unfolds a long document. */
export function RankingBars({ documents, sentCount }: RankingBarsProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const scale = useMemo(() => barScale(documents), [documents]);

  function toggle(rank: number) {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(rank)) after.add(rank);
      return after;
    });
  }

  return (
    <VList data={documents} bufferSize={1200} className={styles.list} role="list" tabIndex={0}>
      {(document) => (
        <Bar
          key={document.rank}
          document={document}
          filled={document.relevanceScore === null ? 0 : scale(document.relevanceScore)}
          sentCount={sentCount}
          open={open.has(document.rank)}
          onToggle={() => toggle(document.rank)}
        />
      )}
    </VList>
  );
}

interface BarProps {
  document: RankedDocument;
  /** From 0 to 1. */
  filled: number;
  sentCount: number;
  open: boolean;
  onToggle: () => void;
}

function Bar({ document, filled, sentCount, open, onToggle }: BarProps) {
  const { rank, index, relevanceScore, text, movedUp, problem } = document;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list puts its own element around each.
    <div role="listitem" className={styles.item}>
      <span className={styles.rank}>{rank}</span>
      <div className={styles.body}>
        <div className={styles.line}>
          <span className={styles.track} aria-hidden="true">
            <span
              className={styles.fill}
              style={{ inlineSize: `${Math.max(0, Math.min(1, filled)) * 100}%` }}
            />
          </span>
          <span className={styles.score}>
            <span className="visually-hidden">Score </span>
            {relevanceScore ?? 'no score'}
          </span>
          <Movement movedUp={movedUp} />
          <span className={styles.index}>{index === null ? 'no index' : `index ${index}`}</span>
        </div>
        {text === null ? (
          <p className={styles.missing}>The document is not known.</p>
        ) : (
          <button
            type="button"
            className={styles.text}
            data-open={open || undefined}
            aria-expanded={open}
            onClick={onToggle}
          >
            {text}
          </button>
        )}
        {problem !== null && (
          <p className={styles.problem}>
            <WarningIcon size={14} />
            {problemWords(problem, sentCount)}
          </p>
        )}
      </div>
    </div>
  );
}
