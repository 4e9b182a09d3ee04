import type { Connection } from '../../../shared/connection.ts';
import { Button } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { formatPrice } from './price-columns.ts';
import styles from './prices.module.css';

interface CapWordsProps {
  connection: Connection;
  /** US dollars; null for no cap. */
  cap: number | null;
  /** What its runs are estimated to cost since midnight, in US dollars; null before that is known. */
  today: number | null;
  onEdit: () => void;
}

/** What a connection has cost today, and of how much. */
export function DailyCapSummary({ connection, cap, today, onEdit }: CapWordsProps) {
  return (
    <span className={styles.cap}>
      {today !== null && (
        <Tooltip text="Estimate: what runs have used since midnight, multiplied by these prices.">
          <span className={styles.today}>
            {`Est. ${formatPrice(rounded(today))}${cap === null ? '' : ` of ${formatPrice(cap)}`} today`}
          </span>
        </Tooltip>
      )}
      <Button
        size="small"
        variant="quiet"
        aria-label={`${getWords(cap)} of ${connection.name}`}
        onClick={onEdit}
      >
        {getWords(cap)}
      </Button>
    </span>
  );
}

function getWords(cap: number | null): string {
  return cap === null ? 'Set daily cap' : 'Edit daily cap';
}

/** A hundredth of a cent is as exact as an estimate is. */
function rounded(dollars: number): number {
  return Number(dollars.toFixed(4));
}
