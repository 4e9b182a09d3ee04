import type { Exchange } from '../../../../shared/exchange.ts';
import { getExchangeTotalMs, timingTooltips } from '../../../../shared/run-times.ts';
import { formatBytes, formatCount, formatDuration } from '../../../lib/format-quantity.ts';
import { FactTable } from '../../../run/body/fact-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { getPhases, type TimingPhase } from './phases.ts';
import styles from './timing-tab.module.css';

export function TimingTab({ exchange }: { exchange: Exchange }) {
  const { timings, ending, number } = exchange;
  if (timings === null) {
    return (
      <EmptyState title={ending === null ? 'No timings yet' : 'No timings'}>
        {ending === null
          ? 'Timings appear when the request finishes.'
          : ending.status === 'interrupted' || ending.status === 'unknown'
            ? 'Gatehouse closed before recording timings.'
            : 'Timings weren’t recorded.'}
      </EmptyState>
    );
  }
  const { startedAtMs, firstDeltaAtMs } = timings;
  const total = getExchangeTotalMs(timings);
  const first = firstDeltaAtMs === null ? null : formatDuration(firstDeltaAtMs - startedAtMs);
  const facts: (readonly [name: string, value: string, help?: string])[] = [
    ['Total time', formatDuration(total), timingTooltips.total],
    ...(first === null ? [] : [['First output', first, timingTooltips.firstOutput] as const]),
    ['Connection', timings.reusedSocket ? 'reused' : 'new'],
    ['Sent', formatBytes(timings.sentBytes)],
    ['Received', formatBytes(timings.receivedBytes)],
    ['Output chunks', formatCount(timings.deltaCount)],
  ];
  // The first exchange starts when the run starts.
  if (number > 0) facts.unshift(['Started', `${formatDuration(startedAtMs)} into the run`]);
  if (timings.gaps !== null) {
    facts.push(
      ['Median gap', formatDuration(timings.gaps.medianMs)],
      ['95th percentile', formatDuration(timings.gaps.p95Ms)],
      ['Longest gap', formatDuration(timings.gaps.maxMs)],
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard can't scroll it.
    <section className={styles.timing} aria-label="Timing" tabIndex={0}>
      <PhaseBar phases={getPhases(timings)} startMs={timings.startedAtMs} totalMs={total} />
      <FactTable isProse label="Metrics" facts={facts} />
    </section>
  );
}

interface PhaseBarProps {
  phases: TimingPhase[];
  startMs: number;
  totalMs: number;
}

function PhaseBar({ phases, startMs, totalMs }: PhaseBarProps) {
  const scale = totalMs > 0 ? 100 / totalMs : 0;
  return (
    <table className={styles.phases} aria-label="Phases">
      <tbody>
        {phases.map(({ key, label, startMs: at, durationMs }) => (
          <Tooltip
            key={key}
            text={`${label}: from ${formatDuration(at - startMs)} for ${formatDuration(durationMs)}`}
          >
            <tr>
              <th scope="row">{label}</th>
              <td className={styles.track}>
                <span
                  className={styles.bar}
                  data-phase={key}
                  style={{ left: `${(at - startMs) * scale}%`, width: `${durationMs * scale}%` }}
                />
              </td>
              <td className={styles.duration}>{formatDuration(durationMs)}</td>
            </tr>
          </Tooltip>
        ))}
      </tbody>
    </table>
  );
}
