import type { RunEventKind } from '../../../shared/run.ts';
import { BodyHead } from '../../run/body/body-head.tsx';
import { LineScroller } from '../../run/body/line-scroller.tsx';
import { useBodyView } from '../../run/body/use-body-view.ts';
import { useRunPart } from '../../run/live/live-runs.ts';
import { useRunEvents } from '../../run/live/use-run-events.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';

const kinds: readonly RunEventKind[] = ['body'];

/** The reply as it came. */
export function RankingJson({ runId }: { runId: string }) {
  const seq = useRunPart(runId, (view) => view.seq) ?? 0;
  const { events, problem, retry } = useRunEvents(runId, seq, kinds);
  const body = events.find((event) => event.kind === 'body');
  const view = useBodyView(body?.text ?? '');
  if (problem !== null) return <ErrorAlert error={problem} onRetry={retry} />;
  if (body === undefined) return <EmptyState title="No reply yet" />;
  return (
    <LineScroller
      label="Reply"
      lines={view.lines}
      json={view.mode === 'pretty'}
      head={
        <BodyHead
          title="Reply"
          text={body.text}
          view={view}
          note={body.truncated ? 'only its start was kept' : undefined}
        />
      }
    />
  );
}
