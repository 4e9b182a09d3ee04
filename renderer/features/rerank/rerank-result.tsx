import { useMemo } from 'react';
import type { JsonObject } from '../../../shared/json.ts';
import type { RerankState } from '../../../shared/operations/rerank/rerank.ts';
import { createOutputStem } from '../../../shared/output-name.ts';
import type { RunEventKind } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { FactTable } from '../../run/body/fact-table.tsx';
import { BodyHead, TextPane, useBodyView } from '../../run/body/text-pane.tsx';
import { useForm } from '../../run/form/use-form.ts';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun, useRunPart } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { useRunEvents } from '../../run/live/use-run-events.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import styles from './ranking.module.css';
import {
  formatRankingCsv,
  formatRankingJson,
  type RankedDocument,
  rankDocuments,
} from './ranking.ts';
import { RankingBars, RankingTable } from './ranking-views.tsx';
import { type RankingView, rerankForm, showRankingAs, useRerankViews } from './rerank-form.ts';
import { getSentDocuments } from './rerank-request.ts';

const LabeledRanking = lazyComponent(
  async () => (await import('./labeled-ranking.tsx')).LabeledRanking,
);

interface RankingProps {
  runId: string;
  onRetry: (() => void) | undefined;
}

export function Ranking({ runId, onRetry }: RankingProps) {
  const view = useRun('rerank', runId);
  const recorded = useRecordedInput(runId);
  const shownAs = useRerankViews((views) => views.rankingView);
  const sent = useMemo(() => (recorded === null ? [] : getSentDocuments(recorded)), [recorded]);
  const state = view?.state ?? null;
  const columns = useForm(rerankForm, ({ input }) => input.columns);
  const documents = useMemo(
    () => (state === null ? [] : rankDocuments(state, sent, columns)),
    [state, sent, columns],
  );
  if (view === null || recorded === null) return null;
  return (
    <ResultFrame
      run={view}
      fills
      actions={<RankingActions view={view} documents={documents} shownAs={shownAs} />}
    >
      <h2 className="visually-hidden">Ranking</h2>
      <ResultContent
        error={view.error}
        failedAt={view.finishedAt}
        noResult={view.figures?.noResult ?? null}
        noResultTitle="No results."
        warnings={[...view.state.warnings, ...listMissing(view, recorded.request, sent.length)]}
        onRetry={onRetry}
      />
      {shownAs === 'labels' && documents.length > 0 ? (
        <div className={styles.labeled}>
          <LabeledRanking
            runId={runId}
            model={view.model}
            query={typeof recorded.request.query === 'string' ? recorded.request.query : ''}
            documents={documents}
            sent={sent}
          />
        </div>
      ) : (
        <Shown runId={runId} shownAs={shownAs} documents={documents} sentCount={sent.length} />
      )}
      <ResponseFacts state={view.state} />
    </ResultFrame>
  );
}

/** Says that a complete response ranks fewer documents than the request asked for. */
function listMissing(
  { status, state }: RunView<'rerank'>,
  { top_n: limit }: JsonObject,
  sentCount: number,
): string[] {
  const count = state.results.length;
  const wanted = typeof limit === 'number' ? Math.min(limit, sentCount) : sentCount;
  if (status !== 'succeeded' || count === 0 || count >= wanted) return [];
  const why = typeof limit === 'number' ? '' : ', although Top n isn’t set';
  return [`The response ranks ${count} of ${pluralize(sentCount, 'document')}${why}.`];
}

interface ShownProps {
  runId: string;
  shownAs: RankingView;
  documents: RankedDocument[];
  sentCount: number;
}

function Shown({ runId, shownAs, documents, sentCount }: ShownProps) {
  if (shownAs === 'json') return <RankingJson runId={runId} />;
  if (documents.length === 0) return null;
  return shownAs === 'bars' ? (
    <RankingBars documents={documents} sentCount={sentCount} />
  ) : (
    <RankingTable documents={documents} sentCount={sentCount} />
  );
}

const views = [
  { value: 'bars', label: 'Bars' },
  { value: 'table', label: 'Table' },
  { value: 'labels', label: 'Labels' },
  { value: 'json', label: 'JSON' },
] as const;

interface RankingActionsProps {
  view: RunView<'rerank'>;
  documents: RankedDocument[];
  shownAs: RankingView;
}

function RankingActions({ view, documents, shownAs }: RankingActionsProps) {
  const { state, preview, createdAt } = view;
  const stem = createOutputStem(preview, new Date(createdAt), 'ranking');
  const save = (type: string, extension: string, text: string) =>
    saveBlob(new Blob([text], { type }), `${stem}.${extension}`);
  return (
    <span className="row-4">
      <Segmented
        label="Result view"
        value={shownAs}
        options={views}
        onValueChange={showRankingAs}
      />
      {documents.length > 0 && (
        <Menu
          label="Export"
          icon={<DownloadIcon size={14} />}
          size="small"
          align="end"
          items={[
            {
              id: 'json',
              label: 'Export as JSON',
              onSelect: () => save('application/json', 'json', formatRankingJson(documents, state)),
            },
            {
              id: 'csv',
              label: 'Export as CSV',
              onSelect: () => save('text/csv', 'csv', formatRankingCsv(documents)),
            },
          ]}
        />
      )}
    </span>
  );
}

const kinds: readonly RunEventKind[] = ['body'];

function RankingJson({ runId }: { runId: string }) {
  const seq = useRunPart(runId, (view) => view.seq) ?? 0;
  const { events, problem, retry } = useRunEvents(runId, seq, kinds);
  const body = events.find((event) => event.kind === 'body');
  const view = useBodyView(body?.text ?? '');
  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;
  if (body === undefined) return <EmptyState title="No response yet" />;
  return (
    <TextPane
      label="Response"
      text={body.text}
      json={view.json}
      head={
        <BodyHead
          title="Response"
          text={body.text}
          view={view}
          note={body.truncated ? 'truncated' : undefined}
        />
      }
    />
  );
}

function ResponseFacts({ state: { id, meta, usage } }: { state: RerankState }) {
  const facts = Object.entries({ id, meta, usage }).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  );
  if (facts.length === 0) return null;
  return (
    <details className={styles.facts}>
      <summary className="caption">Response details</summary>
      <FactTable label="Response details" facts={facts} />
    </details>
  );
}
