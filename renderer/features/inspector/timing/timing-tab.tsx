import { formatBytes, formatCount, formatDuration } from '../../../lib/format-quantity.ts';
import { FactTable } from '../../../run/body/fact-table.tsx';
import { useAnyRun } from '../../../run/live/live-runs.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PhaseBar } from './phase-bar.tsx';
import { phasesOf } from './phases.ts';
import styles from './timing-tab.module.css';

/** Where the time went. */
export function TimingTab({ runId }: { runId: string }) {
  const view = useAnyRun(runId);
  if (view === null) return null;
  const { timings } = view;
  if (timings === null) {
    return (
      <EmptyState title="No timings yet">
        {view.finishedAt === null
          ? 'They are here as soon as the run has ended.'
          : 'This run ended before they could be measured.'}
      </EmptyState>
    );
  }
  const total = timings.endAtMs - timings.startedAtMs;
  const facts: [string, string][] = [
    ['Total', formatDuration(total)],
    ['Connection', timings.reusedSocket ? 'reused' : 'new'],
    ['Sent', formatBytes(timings.sentBytes)],
    ['Received', formatBytes(timings.receivedBytes)],
    ['Pieces of output', formatCount(timings.deltaCount)],
  ];
  if (timings.gaps !== null) {
    facts.push(
      ['Median gap', formatDuration(timings.gaps.medianMs)],
      ['95th percentile', formatDuration(timings.gaps.p95Ms)],
      ['Longest gap', formatDuration(timings.gaps.maxMs)],
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a stop the keyboard cannot scroll it.
    <section className={styles.timing} aria-label="Timing" tabIndex={0}>
      <PhaseBar phases={phasesOf(timings)} startMs={timings.startedAtMs} totalMs={total} />
      <FactTable label="Figures" facts={facts} />
    </section>
  );
}
