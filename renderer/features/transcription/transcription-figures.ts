import { useEffect, useMemo, useState } from 'react';
import type { Cell } from '../../../shared/comparison.ts';
import { isSameJson } from '../../../shared/json.ts';
import { getTotalMs } from '../../../shared/run-times.ts';
import type { RunView } from '../../../shared/run-view.ts';
import type { ComparedResultsProps, CompareFigure } from '../../run/compare/compare-panel.ts';
import { useNormalization } from '../../run/compare/normalization-switches.tsx';
import { computeComparison } from '../../run/compare/work/use-computed.ts';
import { useRunViews } from '../../run/live/live-runs.ts';

/** Returns metrics that need the transcripts: the real-time factor and the word error rate. */
export function useTranscriptionFigures(results: ComparedResultsProps): CompareFigure[] {
  const { notes, cells } = results;
  const joinedIds = cells.map(({ run }) => run?.id ?? '').join(' ');
  const runIds = useMemo(() => joinedIds.split(' ').filter((id) => id !== ''), [joinedIds]);
  const views = useRunViews('transcription', runIds);
  const rates = useWordErrorRates(notes.references, cells, views);
  return useMemo(() => {
    const lengths = new Map(
      views.map(({ id, state }) => [id, state.soundSeconds ?? state.durationSeconds]),
    );
    return [
      {
        id: 'wer',
        label: 'WER',
        help: 'Word error rate against the reference text.',
        best: 'least',
        of: ({ id }) => rates.get(id) ?? null,
        format: (rate) => `${(100 * rate).toFixed(1)}%`,
      },
      {
        id: 'factor',
        label: 'Real-time factor',
        revealsModel: true,
        help: 'Total time ÷ audio duration. Below 1 is faster than real time.',
        best: 'least',
        of: (run) => {
          const [total, length] = [getTotalMs(run), lengths.get(run.id) ?? null];
          return total === null || length === null || length === 0 ? null : total / 1000 / length;
        },
        format: (value) => value.toFixed(2),
      },
    ];
  }, [views, rates]);
}

interface Job {
  reference: string;
  ids: string[];
  hypotheses: string[];
}

const none: ReadonlyMap<string, number> = new Map();

/** Maps run IDs to their word error rates; omits runs without a reference text. */
function useWordErrorRates(
  references: Readonly<Record<string, string>>,
  cells: readonly Cell[],
  views: readonly RunView<'transcription'>[],
): ReadonlyMap<string, number> {
  const normalization = useNormalization();
  const [rates, setRates] = useState(none);
  const [jobs, setJobs] = useState<readonly Job[]>([]);
  const wanted = listJobs(references, cells, views);
  // Keep the previous jobs while they are equal, so that nothing is computed twice.
  if (!isSameJson(jobs, wanted)) setJobs(wanted);
  useEffect(() => {
    const abort = new AbortController();
    const work = jobs.map(async ({ reference, ids, hypotheses }) => {
      const input = { reference, hypotheses, normalization };
      const found = await computeComparison('error-rates', input, abort.signal);
      return ids.flatMap((id, at): [string, number][] => {
        const rate = found[at]?.words.rate ?? null;
        return rate === null ? [] : [[id, rate]];
      });
    });
    Promise.all(work).then(
      (found) => setRates(new Map(found.flat())),
      // The results show the error; the metric is just missing.
      () => undefined,
    );
    return () => abort.abort();
  }, [jobs, normalization]);
  return rates;
}

function listJobs(
  references: Readonly<Record<string, string>>,
  cells: readonly Cell[],
  views: readonly RunView<'transcription'>[],
): Job[] {
  const known = new Map(views.map((view) => [view.id, view]));
  return Object.entries(references).flatMap(([rowId, reference]) => {
    const done = cells.flatMap(({ rowId: own, run }) => {
      const view = own === rowId ? known.get(run?.id ?? '') : undefined;
      return view?.status === 'succeeded' ? [view] : [];
    });
    if (reference.trim() === '' || done.length === 0) return [];
    const hypotheses = done.map(({ state }) => state.text);
    return [{ reference, ids: done.map(({ id }) => id), hypotheses }];
  });
}
