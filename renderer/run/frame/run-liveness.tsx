import { useEffect, useState } from 'react';
import { isFinished } from '../../../shared/run.ts';
import { initialView, producedOutput, type RunView } from '../../../shared/run-view.ts';
import { useIsDisconnected } from '../../lib/link-state.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import { useDataAt, useRunView } from '../live/live-runs.ts';
import { useNow } from '../live/use-now.ts';
import { describeProgress } from './run-status.tsx';

interface RunLivenessProps {
  runId: string;
}

export function RunLiveness({ runId }: RunLivenessProps) {
  const view = useRunView(runId);
  const isLinkLost = useIsDisconnected();
  if (view === null || isFinished(view.status)) return null;
  // While disconnected, the page doesn't know whether the run is still active.
  if (isLinkLost) return <StatusMark label="Connection lost" tone="warning" />;
  return <Liveness view={view} />;
}

function Liveness({ view }: { view: RunView }) {
  const now = useNow(100);
  const dataAt = useDataAt(view.id);
  const streams = useHasOutput(view);
  const words = describeProgress({
    operation: view.operation,
    streams,
    elapsedMs: now - (view.startedAt ?? view.createdAt),
    quietMs: dataAt === null ? 0 : now - dataAt,
  });
  return <StatusMark label={words} tone="active" className="tabular" />;
}

/** Remains true after the first output. */
function useHasOutput(view: RunView): boolean {
  const [seen, setSeen] = useState(false);
  const has = seen || producedOutput(initialView(view), view);
  useEffect(() => {
    if (has) setSeen(true);
  }, [has]);
  return has;
}
