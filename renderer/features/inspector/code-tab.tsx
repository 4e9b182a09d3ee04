import type { RunEventKind } from '../../../shared/run.ts';
import { getCodeResponse } from '../../run/code/code-export.ts';
import { CodePane } from '../../run/code/code-pane.tsx';
import { useRunView } from '../../run/live/live-runs.ts';
import { useRunEvents } from '../../run/live/use-run-events.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';

const kinds: readonly RunEventKind[] = ['request', 'media'];

interface CodeTabProps {
  runId: string;
  exchange: number;
}

export function CodeTab({ runId, exchange }: CodeTabProps) {
  const view = useRunView(runId);
  const { events, problem, retry } = useRunEvents(runId, view?.seq ?? 0, kinds, exchange);
  const sent = events.find((event) => event.kind === 'request');
  const file = events.findLast((event) => event.kind === 'media')?.media ?? null;
  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;
  if (sent === undefined || view === null) return null;
  return <CodePane sent={sent} response={getCodeResponse(view, sent, file)} />;
}
