import { useMemo } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import { outputStem } from '../../../shared/output-name.ts';
import { isFinished } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { ResponseFacts } from '../../run/body/fact-table.tsx';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { useRecordedInput } from '../../run/live/recorded-input.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './embeddings.module.css';
import { useEmbeddingsViews, type VectorsView } from './embeddings-form.ts';
import { describeInput, getSentInputs } from './embeddings-request.ts';
import { VectorList } from './vector-list.tsx';
import type { ExportFormat } from './work/export-vectors.ts';
import { useVectors, type VectorSet } from './work/use-vectors.ts';

interface EmbeddingsResultProps {
  runId: string;
  onRetry: (() => void) | undefined;
}

export function EmbeddingsResult({ runId, onRetry }: EmbeddingsResultProps) {
  const view = useRun('embeddings', runId);
  const recorded = useRecordedInput(runId);
  const shownAs = useEmbeddingsViews((views) => views.vectorsView);
  const inputs = useMemo(() => (recorded === null ? [] : getSentInputs(recorded)), [recorded]);
  const names = useMemo(() => inputs.map(describeInput), [inputs]);
  const file = view?.media[0];
  // While the file grows, each look at it would read it from the start.
  const isReady = view !== null && isFinished(view.status) && view.state.vectorCount > 0;
  const { vectors, error } = useVectors(isReady && file !== undefined ? file.id : null);
  if (view === null || recorded === null) return null;
  return (
    <ResultFrame
      run={view}
      fills
      actions={vectors !== null && <VectorActions view={view} vectors={vectors} names={names} />}
    >
      <h2 className="visually-hidden">Vectors</h2>
      <ResultContent
        error={view.error}
        failedAt={view.finishedAt}
        noResult={view.figures?.noResult ?? null}
        noResultTitle="No vectors."
        warnings={view.state.warnings}
        onRetry={onRetry}
      />
      <Progress view={view} inputs={inputs} />
      {error !== null && <ErrorAlert error={error} />}
      {isReady && vectors === null && error === null && <Spinner label="Loading vectors" />}
      {vectors !== null && (
        <Shown runId={runId} shownAs={shownAs} names={names} vectors={vectors} />
      )}
    </ResultFrame>
  );
}

interface ShownProps {
  runId: string;
  shownAs: VectorsView;
  names: readonly string[];
  vectors: VectorSet;
}

function Shown({ runId, shownAs, names, vectors }: ShownProps) {
  switch (shownAs) {
    case 'list':
      return <VectorList names={names} vectors={vectors} />;
    case 'details':
      return <ResponseFacts runId={runId} />;
  }
}

interface ProgressProps {
  view: RunView<'embeddings'>;
  inputs: readonly JsonValue[];
}

/** Counts inputs while a run with several requests is going on, and after it was cut short. */
function Progress({ view, inputs }: ProgressProps) {
  const { doneCount, vectorCount, dimensions } = view.state;
  if (isFinished(view.status) && doneCount >= inputs.length) {
    if (dimensions === null) return null;
    return (
      <p className="caption tabular">
        {pluralize(vectorCount, 'vector')} with {pluralize(dimensions, 'dimension')}
      </p>
    );
  }
  if (doneCount === 0 && isFinished(view.status)) return null;
  return (
    <div className="stack-4">
      <div
        role="progressbar"
        aria-label="Inputs embedded"
        aria-valuemin={0}
        aria-valuemax={inputs.length}
        aria-valuenow={doneCount}
        className={styles.progress}
      >
        <span style={{ inlineSize: `${(100 * doneCount) / Math.max(1, inputs.length)}%` }} />
      </div>
      <p className="caption tabular" aria-live="polite">
        {doneCount} of {pluralize(inputs.length, 'input')}
      </p>
    </div>
  );
}

const views = [
  { value: 'list', label: 'List' },
  { value: 'details', label: 'Details' },
] as const;

const formats: readonly { format: ExportFormat; label: string }[] = [
  { format: 'json', label: 'Export as JSON' },
  { format: 'csv', label: 'Export as CSV' },
  { format: 'npy', label: 'Export as NumPy (.npy)' },
];

interface VectorActionsProps {
  view: RunView<'embeddings'>;
  vectors: VectorSet;
  names: readonly string[];
}

function VectorActions({ view, vectors, names }: VectorActionsProps) {
  const shownAs = useEmbeddingsViews((views) => views.vectorsView);
  const { attempt, error } = useAttempt();

  async function save(format: ExportFormat): Promise<void> {
    const stem = outputStem(view.preview, new Date(view.createdAt), 'embeddings');
    const blob = await vectors.compute('export', { inputs: names, format });
    saveBlob(blob, `${stem}.${format}`);
  }

  return (
    <>
      <Segmented
        label="Result view"
        value={shownAs}
        options={views}
        onValueChange={(vectorsView) => useEmbeddingsViews.setState({ vectorsView })}
      />
      <Menu
        label="Export"
        icon={<DownloadIcon size={14} />}
        size="small"
        align="end"
        items={formats.map(({ format, label }) => ({
          id: format,
          label,
          onSelect: () => void attempt(() => save(format)),
        }))}
      />
      {error !== null && <ErrorAlert compact error={error} />}
    </>
  );
}
