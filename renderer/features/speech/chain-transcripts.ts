/** Transcribes generated speech so that the transcript can be compared with the original text. */

import {
  type Cell,
  type Comparison,
  type ComparisonPlan,
  getCellVariant,
} from '../../../shared/comparison.ts';
import type { AppError } from '../../../shared/errors.ts';
import { createMediaReference } from '../../../shared/media.ts';
import { hasResult, isFinished } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import { PageError } from '../../lib/page-failure.ts';
import type { CompareColumn, ComparedResultsProps } from '../../run/compare/compare-panel.ts';
import { sendComparison, settleForm } from '../../run/compare/send-comparison.ts';
import { panelForms } from '../../run/form/panel-forms.ts';

async function settleSettings() {
  const settled = await settleForm(panelForms.transcription);
  if (settled.ok) return settled.ready;
  throw new PageError({
    kind: 'invalid-request',
    message: `Nothing was sent. ${settled.reason}`,
    nextStep: 'Set it in the Transcription panel.',
    gateway: null,
    detail: null,
    fields: [],
  });
}

export async function transcribeSpeech(
  runId: string,
  mediaId: string,
  overCap: boolean,
): Promise<string> {
  const { connectionId, request, extraBody, wireNames } = await settleSettings();
  const started = await api.runs.start({
    operation: 'transcription',
    connectionId,
    request: { ...request, file: createMediaReference(mediaId) },
    extraBody,
    wireNames,
    follow: null,
    sourceRunId: runId,
    overCap,
  });
  return started.runId;
}

export function filterTranscribable(cells: readonly Cell[]): Cell[] {
  return cells.filter(({ run }) => run?.status === 'succeeded' && getAudioId(run.media) !== null);
}

/**
 * Returns cells without a transcript, including those whose transcription failed; throws if every
 * cell has one.
 */
async function withoutTranscript(cells: readonly Cell[]): Promise<Cell[]> {
  const known = await Promise.all(
    cells.map(async ({ run }) => {
      const { next } = run === null ? { next: [] } : await api.runs.chain({ id: run.id });
      return next.some(
        (one) => one.operation === 'transcription' && (!isFinished(one.status) || hasResult(one)),
      );
    }),
  );
  const open = cells.filter((_, at) => known[at] !== true);
  if (open.length === 0) throw new PageError(allTranscribed);
  return open;
}

const allTranscribed: AppError = {
  kind: 'invalid-request',
  message: 'All results are already transcribed.',
  nextStep: '',
  gateway: null,
  detail: null,
  fields: [],
};

/** Transcribes a comparison's speech in a new comparison; returns null if the user cancels. */
export async function transcribeAll(
  formId: string,
  { comparison, cells, columns }: Omit<ComparedResultsProps, 'notes'>,
  overCap: boolean,
): Promise<string | null> {
  const ready = await settleSettings();
  const open = await withoutTranscript(filterTranscribable(cells));
  const sources = open.flatMap((cell) => {
    const mediaId = getAudioId(cell.run?.media ?? []);
    return cell.run === null || mediaId === null ? [] : [{ cell, runId: cell.run.id, mediaId }];
  });
  const plan: ComparisonPlan = {
    operation: 'transcription',
    title: `Transcripts of ${comparison.title}`.slice(0, 200),
    variants: [{ id: 'transcription', name: '', ...ready, differences: [] }],
    rows: sources.map(({ cell, runId, mediaId }) => ({
      id: getRowId(cell),
      label: getLabel(comparison, columns, cell),
      request: { file: createMediaReference(mediaId) },
      sourceRunId: runId,
      variants: [],
    })),
    repeats: 1,
    sourceComparisonId: comparison.id,
  };
  const id = await sendComparison(formId, plan, overCap);
  if (id === null) return null;
  await Promise.all(
    sources.map(({ cell }) =>
      api.comparisons.note({
        id,
        change: { kind: 'reference', rowId: getRowId(cell), text: getSpokenText(comparison, cell) },
      }),
    ),
  );
  return id;
}

export function getSpokenText(comparison: Comparison, cell: Cell): string {
  const request = {
    ...comparison.rows.find(({ id }) => id === cell.rowId)?.request,
    ...getCellVariant(comparison, cell)?.request,
  };
  return typeof request.input === 'string' ? request.input : '';
}

function getRowId({ place }: Cell): string {
  return `cell-${place}`;
}

/** Names the voice by its letter while the comparison is blind. */
function getLabel(comparison: Comparison, columns: readonly CompareColumn[], cell: Cell): string {
  const { rows, repeats } = comparison;
  const { variantId, repeat } = cell;
  const { name = '', isHidden = false } =
    columns.find(({ variant: { id } }) => id === variantId) ?? {};
  const differences = isHidden ? [] : (getCellVariant(comparison, cell)?.differences ?? []);
  const text = rows.length > 1 ? (rows.find(({ id }) => id === cell.rowId)?.label ?? '') : '';
  const again = repeats > 1 ? `Repeat ${repeat + 1}` : '';
  return [name, ...differences, again, text]
    .filter((word) => word !== '')
    .join(' · ')
    .slice(0, 500);
}

function getAudioId(
  media: readonly { id: string; kind: string; complete: boolean }[],
): string | null {
  return media.find(({ kind, complete }) => kind === 'audio' && complete)?.id ?? null;
}
