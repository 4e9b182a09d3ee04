import { useMemo } from 'react';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type RankedDocument, rankDocuments, sentDocuments } from './ranking.ts';
import { RankingActions } from './ranking-actions.tsx';
import { RankingBars } from './ranking-bars.tsx';
import { RankingJson } from './ranking-json.tsx';
import { RankingTable } from './ranking-table.tsx';
import { ReplyFacts } from './reply-facts.tsx';
import { type RankingView, useRerank } from './rerank-store.ts';

interface RankingProps {
  runId: string;
  /** Undefined while the form has errors. */
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
  return (
    <ResultFrame
      run={view}
      fills
      actions={<RankingActions state={view.state} documents={documents} shownAs={shownAs} />}
    >
      <h2 className="visually-hidden">Ranking</h2>
      <ResultContent error={view.error} warnings={view.state.warnings} onRetry={onRetry} />
      <Shown
        runId={runId}
        shownAs={shownAs}
        documents={documents}
        sentCount={sent.length}
        empty={view.status === 'succeeded' && documents.length === 0}
      />
      <ReplyFacts state={view.state} />
    </ResultFrame>
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
