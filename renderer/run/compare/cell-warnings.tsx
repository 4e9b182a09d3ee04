import { pluralize } from '../../lib/format-quantity.ts';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { useRunPart } from '../live/live-runs.ts';
import styles from './comparison.module.css';

interface CellWarningsProps {
  runId: string;
  /** A warning may say whose the reply is. */
  isHidden: boolean;
}

/** What was odd about the reply of a cell, in every panel. */
export function CellWarnings({ runId, isHidden }: CellWarningsProps) {
  const warnings =
    useRunPart(runId, ({ state }) => ('warnings' in state ? state.warnings : none)) ?? none;
  if (warnings.length === 0) return null;
  const shown = isHidden
    ? [`${pluralize(warnings.length, 'warning')}. Turn off Blind to see.`]
    : warnings;
  return (
    <ul aria-label="Warnings" className={styles.warnings}>
      {shown.map((warning) => (
        <li key={warning}>
          <WarningIcon size={14} /> {warning}
        </li>
      ))}
    </ul>
  );
}

const none: readonly string[] = [];
