import { useMemo } from 'react';
import { isFinished } from '../../../shared/is-finished.ts';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import styles from './ranking.module.css';
import { type RankedDocument, rankDocuments, sentDocuments } from './ranking.ts';
import { RankingBars } from './ranking-bars.tsx';
import { RankingHead } from './ranking-head.tsx';
import { RankingJson } from './ranking-json.tsx';
import { RankingTable } from './ranking-table.tsx';
import { ReplyFacts } from './reply-facts.tsx';
import { type RankingView, useRerank } from './rerank-store.ts';

interface RankingProps {
  runId: string;
  /** Undefined while the form has something to mend. */
  onRetry: (() => void) | undefined;
}

/** The documents by relevance, as the reply orders them. */
export function Ranking({ runId, onRetry }: RankingProps) {
  const view = useRun('rerank', runId);
  const recorded = useRecordedInput(runId);
  const shownAs = useRerank((state) => state.rankingView);
  const sent = useMemo(() => (recorded === null ? [] : sentDocuments(recorded)), [recorded]);
  const state = view?.state ?? null;
  const documents = useMemo(
    () => (state === null ? [] : rankDocuments(state, sent)),
    [state, sent],
  );
  if (view === null || recorded === null) return null;
  const finished = isFinished(view.status);
  return (
    <section className={styles.ranking} aria-label="Result" aria-busy={!finished}>
      <h2 className="visually-hidden">Ranking</h2>
      <RankingHead view={view} documents={documents} shownAs={shownAs} />
      {(view.error !== null || view.state.warnings.length > 0) && (
        <div className={styles.notices}>
          {view.error !== null && <ErrorAlert error={view.error} onRetry={onRetry} />}
          {view.state.warnings.map((warning) => (
            <p key={warning} className={styles.warning}>
              {warning}
            </p>
          ))}
        </div>
      )}
      <Shown
        runId={runId}
        shownAs={shownAs}
        documents={documents}
        sentCount={sent.length}
        empty={view.status === 'succeeded' && documents.length === 0}
      />
      <ReplyFacts state={view.state} />
    </section>
  );
}

interface ShownProps {
  runId: string;
  shownAs: RankingView;
  documents: RankedDocument[];
  sentCount: number;
  empty: boolean;
}

function Shown({ runId, shownAs, documents, sentCount, empty }: ShownProps) {
  if (shownAs === 'json') return <RankingJson runId={runId} />;
  if (empty) return <EmptyState title="No results">The reply ranks no document.</EmptyState>;
  return shownAs === 'bars' ? (
    <RankingBars documents={documents} sentCount={sentCount} />
  ) : (
    <RankingTable documents={documents} sentCount={sentCount} />
  );
}
