import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { JsonValue } from '../../../shared/json.ts';
import { createMediaReference } from '../../../shared/media.ts';
import { createOutputStem } from '../../../shared/output-name.ts';
import { isFinished, type RunInput } from '../../../shared/run.ts';
import type { RunView } from '../../../shared/run-view.ts';
import { api } from '../../lib/api.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { type Attempt, useAttempt } from '../../lib/use-attempt.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { ResponseFacts } from '../../run/body/fact-table.tsx';
import { ResultContent, ResultFrame } from '../../run/frame/result-frame.tsx';
import { useRun } from '../../run/live/live-runs.ts';
import { cacheInput, useRecordedInput } from '../../run/live/recorded-input.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import styles from './embeddings.module.css';
import { embeddingsForm, useEmbeddingsViews } from './embeddings-form.ts';
import { describeInput, getSentInputs } from './embeddings-request.ts';
import { MapView } from './map-view.tsx';
import { NeighborsView } from './neighbors-view.tsx';
import { SimilarityView } from './similarity-view.tsx';
import { VectorList } from './vector-list.tsx';
import type { VectorFormat } from './work/export-vectors.ts';
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
  const [row, setRow] = useState(0);
  const file = view?.media[0];
  // Wait for the run to end, because each read of a growing file starts from the beginning.
  const isReady = view !== null && isFinished(view.status) && view.state.vectorCount > 0;
  const mediaId = isReady && file !== undefined ? file.id : null;
  const { vectors, error } = useVectors(mediaId);
  const resume = useResume(view, recorded);
  if (view === null || recorded === null) return null;

  function showNeighbors(row: number): void {
    setRow(row);
    useEmbeddingsViews.setState({ vectorsView: 'neighbors' });
  }

  function renderView(
    vectors: VectorSet,
    mediaId: string,
    { connectionId }: RunView,
    input: RunInput,
  ) {
    switch (shownAs) {
      case 'list':
        return <VectorList names={names} vectors={vectors} onNeighbors={showNeighbors} />;
      case 'similarity':
        return <SimilarityView names={names} vectors={vectors} />;
      case 'neighbors':
        return (
          <NeighborsView
            connectionId={connectionId}
            recorded={input}
            vectors={vectors}
            names={names}
            row={Math.min(row, vectors.rows - 1)}
            onRow={setRow}
          />
        );
      case 'map':
        return (
          <MapView
            mediaId={mediaId}
            rows={vectors.rows}
            names={names}
            onNeighbors={showNeighbors}
          />
        );
      case 'details':
        return <ResponseFacts runId={runId} />;
    }
  }

  const left = inputs.length - view.state.doneCount;
  const canResume = isReady && view.status !== 'succeeded' && left > 0;
  return (
    <ResultFrame
      run={view}
      fills
      actions={vectors !== null && <ExportMenu view={view} vectors={vectors} names={names} />}
    >
      <h2 className="visually-hidden">Vectors</h2>
      <ResultContent
        error={view.error}
        failedAt={view.finishedAt}
        noResult={view.figures?.noResult ?? null}
        noResultTitle="No vectors."
        warnings={view.state.warnings}
        onRetry={onRetry}
        errorActions={
          canResume ? (
            <Button size="small" busy={resume.busy} onClick={resume.resume}>
              Resume ({pluralize(left, 'input')} left)
            </Button>
          ) : undefined
        }
      />
      {resume.error !== null && <ErrorAlert compact error={resume.error} />}
      <div className={styles.body}>
        <div className={styles.bar}>
          {vectors !== null && (
            <Segmented
              label="Result view"
              value={shownAs}
              options={views}
              onValueChange={(vectorsView) => useEmbeddingsViews.setState({ vectorsView })}
            />
          )}
          <Embedded view={view} inputs={inputs} />
        </div>
        {error !== null && <ErrorAlert error={error} />}
        {isReady && vectors === null && error === null && <Spinner label="Loading vectors" />}
        {vectors !== null && mediaId !== null && renderView(vectors, mediaId, view, recorded)}
      </div>
    </ResultFrame>
  );
}

interface EmbeddedProps {
  view: RunView<'embeddings'>;
  inputs: readonly JsonValue[];
}

/** Shows the number of vectors once all inputs are embedded, or else the progress. */
function Embedded({ view, inputs }: EmbeddedProps) {
  const { doneCount, vectorCount, dimensions } = view.state;
  if (isFinished(view.status) && doneCount >= inputs.length) {
    if (dimensions === null) return null;
    return (
      <p className="caption tabular">
        {pluralize(vectorCount, 'vector')}, {pluralize(dimensions, 'dimension')}
      </p>
    );
  }
  if (doneCount === 0 && isFinished(view.status)) return null;
  return (
    <div className={styles.progressBox}>
      <Progress label="Inputs embedded" value={doneCount} max={inputs.length} />
      <p className="caption tabular">
        {doneCount} of {pluralize(inputs.length, 'input')}
      </p>
    </div>
  );
}

const views = [
  { value: 'list', label: 'List' },
  { value: 'similarity', label: 'Similarity' },
  { value: 'neighbors', label: 'Neighbors' },
  { value: 'map', label: 'Map' },
  { value: 'details', label: 'Details' },
] as const;

const formats: readonly { format: VectorFormat; label: string }[] = [
  { format: 'json', label: 'Export as JSON' },
  { format: 'csv', label: 'Export as CSV' },
  { format: 'npy', label: 'Export as NumPy (.npy)' },
];

interface ExportMenuProps {
  view: RunView<'embeddings'>;
  vectors: VectorSet;
  names: readonly string[];
}

function ExportMenu({ view, vectors, names }: ExportMenuProps) {
  const { attempt, error } = useAttempt();

  async function save(format: VectorFormat): Promise<void> {
    const stem = createOutputStem(view.preview, new Date(view.createdAt), 'embeddings');
    const blob = await vectors.compute('export', { inputs: names, format });
    saveBlob(blob, `${stem}.${format}`);
  }

  return (
    <>
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

/** Returns a function that sends the remaining inputs in a new run. */
function useResume(view: RunView<'embeddings'> | null, recorded: RunInput | null) {
  const queries = useQueryClient();
  const { attempt, busy, error }: Attempt = useAttempt();

  async function resume(run: RunView<'embeddings'>, { request, ...rest }: RunInput): Promise<void> {
    const { doneCount, dimensions } = run.state;
    const [file] = run.media;
    if (file === undefined || dimensions === null) return;
    const done = { media: createMediaReference(file.id), count: doneCount, dimensions };
    const { extraBody, wireNames } = rest;
    const input = { request: { ...request, resume: done }, extraBody, wireNames };
    const { connectionId, operation } = run;
    const { runId } = await api.runs.start({ connectionId, operation, ...input });
    cacheInput(queries, runId, { ...input, follow: null });
    embeddingsForm.change({ runId });
  }

  return {
    busy,
    error,
    resume: () => {
      if (view !== null && recorded !== null) void attempt(() => resume(view, recorded));
    },
  };
}
