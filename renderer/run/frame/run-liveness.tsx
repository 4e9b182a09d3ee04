import { memo, useEffect, useMemo, useState } from 'react';
import { estimateTokens } from '../../../shared/estimate-tokens.ts';
import { viewAnswer } from '../../../shared/operations/chat/answer-view.ts';
import { isFinished } from '../../../shared/run.ts';
import { createInitialView, hasNewOutput, type RunView } from '../../../shared/run-view.ts';
import { formatCount, formatRate } from '../../lib/format-quantity.ts';
import { useIsDisconnected } from '../../lib/link-state.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import { useLiveRuns, useRunPart } from '../live/live-runs.ts';
import { describeProgress } from './run-status.tsx';

interface RunLivenessProps {
  runId: string;
}

/** Memoized, because its parent renders on each chunk. */
export const RunLiveness = memo(function RunLiveness({ runId }: RunLivenessProps) {
  const isActive = useRunPart(runId, ({ status }) => !isFinished(status)) ?? false;
  const isLinkLost = useIsDisconnected();
  if (!isActive) return null;
  // While disconnected, the page doesn't know whether the run is still active.
  if (isLinkLost) return <StatusMark label="Connection lost" tone="warning" />;
  return <Liveness runId={runId} />;
});

function Liveness({ runId }: RunLivenessProps) {
  const { now, view, dataAt } = useSample(runId);
  return view === undefined ? null : <Progress now={now} view={view} dataAt={dataAt} />;
}

/** Each tick lays the page out and paints it once more, beside the updates of the answer. */
const TICK_MS = 500;

/** Reads the run at its first output and at each tick, because it can change many times between two. */
function useSample(runId: string): Sample {
  const [sample, setSample] = useState(() => readSample(runId));
  const hasOutput = useRunPart(runId, hasAnyOutput);
  useEffect(() => {
    if (hasOutput) setSample(readSample(runId));
    const timer = setInterval(() => setSample(readSample(runId)), TICK_MS);
    return () => clearInterval(timer);
  }, [runId, hasOutput]);
  return sample;
}

function hasAnyOutput(view: RunView): boolean {
  return hasNewOutput(createInitialView(view), view);
}

interface Sample {
  now: number;
  view: RunView | undefined;
  dataAt: number | undefined;
}

function readSample(runId: string): Sample {
  const { views, dataAt } = useLiveRuns.getState();
  return { now: Date.now(), view: views[runId], dataAt: dataAt[runId] };
}

function Progress({ now, view, dataAt }: Sample & { view: RunView }) {
  const streams = useHasOutput(view);
  const produced = useProduced(view, streams, now);
  const words = describeProgress({
    produced,
    operation: view.operation,
    streams,
    elapsedMs: now - (view.startedAt ?? view.createdAt),
    quietMs: dataAt === undefined ? 0 : now - dataAt,
  });
  return <StatusMark label={words} tone="active" className="tabular" />;
}

/** Describes the estimated tokens so far and their speed; empty before the first text. */
function useProduced(view: RunView, streams: boolean, now: number): string {
  const tokens = useMemo(() => Math.round(estimateTokens(getStreamedText(view))), [view]);
  const [first, setFirst] = useState<{ tokens: number; at: number } | null>(null);
  useEffect(() => {
    // A page that opens during the run has missed the start, so measure from here.
    if (first === null && tokens > 0) setFirst({ tokens, at: Date.now() });
  }, [first, tokens]);
  if (!streams || tokens === 0) return '';
  const seconds = first === null ? 0 : (now - first.at) / 1000;
  const count = ` · about ${formatCount(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`;
  if (first === null || seconds < MIN_SPEED_SECONDS || tokens === first.tokens) return count;
  return `${count} · ${formatRate((tokens - first.tokens) / seconds)} tokens/s`;
}

/** The speed would fluctuate over a shorter time. */
const MIN_SPEED_SECONDS = 1;

function getStreamedText(view: RunView): string {
  if (view.operation === 'chat') {
    return view.state.choices
      .map(viewAnswer)
      .map(({ content, reasoning }) => reasoning + content)
      .join('');
  }
  if (view.operation !== 'completion') return '';
  return view.state.choices.map(({ text }) => text).join('');
}

/** Remains true after the first output. */
function useHasOutput(view: RunView): boolean {
  const [seen, setSeen] = useState(false);
  const has = seen || hasAnyOutput(view);
  useEffect(() => {
    if (has) setSeen(true);
  }, [has]);
  return has;
}
