import { formatDuration } from '../../../lib/format-quantity.ts';
import { tooltip } from '../../../ui/tooltip.ts';
import type { TimingPhase } from './phases.ts';
import styles from './timing-tab.module.css';

interface PhaseBarProps {
  phases: TimingPhase[];
  startMs: number;
  totalMs: number;
}

/** Each phase as a row, its bar where it happened on the run's time line. */
export function PhaseBar({ phases, startMs, totalMs }: PhaseBarProps) {
  const scale = totalMs > 0 ? 100 / totalMs : 0;
  return (
    <table className={styles.phases} aria-label="Phases">
      <tbody>
        {phases.map(({ key, label, startMs: at, durationMs }) => (
          <tr
            key={key}
            {...tooltip(
              `${label}: from ${formatDuration(at - startMs)} for ${formatDuration(durationMs)}`,
            )}
          >
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
        ))}
      </tbody>
    </table>
  );
}
