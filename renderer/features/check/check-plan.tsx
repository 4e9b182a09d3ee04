import type { AskedRow, CheckEstimate } from '../../../shared/checks/check.ts';
import { formatCount, formatPrice, pluralize } from '../../lib/format-quantity.ts';
import styles from './check.module.css';

/** Returns text such as `84 requests · about 12,400 input tokens · at most $0.02`. */
export function describeEstimate(estimate: CheckEstimate): string {
  const { requests, inputTokens, outputTokens, dollars, isLeast } = estimate;
  const output =
    outputTokens === null ? 'output unknown' : `at most ${formatCount(outputTokens)} output tokens`;
  const input = `about ${pluralize(inputTokens, 'input token')}`;
  return [pluralize(requests, 'request'), input, output, describeCost(dollars, isLeast)].join(
    ' · ',
  );
}

function describeCost(dollars: number | null, isLeast: boolean): string {
  if (dollars === null) return 'cost unknown';
  if (dollars === 0 && !isLeast) return 'free';
  return `${isLeast ? 'at least' : 'at most'} ${formatCost(dollars)}`;
}

export function formatCost(dollars: number): string {
  if (dollars > 0 && dollars < 0.0001) return '<$0.0001';
  return formatPrice(Number(dollars.toPrecision(2)));
}

export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%';
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}

/** Returns `Auto` for `Tools: auto` below the title `Tools`. */
export function omitGroup(label: string, group: string): string {
  if (!label.startsWith(`${group}: `)) return label;
  const rest = label.slice(group.length + 2);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Lists what a check will ask, by group. */
export function AskedList({ asked }: { asked: readonly AskedRow[] }) {
  return (
    <dl className={styles.asked}>
      {[...new Set(asked.map(({ group }) => group))].map((group) => {
        const rows = asked.filter((row) => row.group === group);
        const count = rows.reduce((sum, { requests }) => sum + requests, 0);
        return (
          <div key={group}>
            <dt>
              {group}
              <br />
              <span className="hint">{pluralize(count, 'request')}</span>
            </dt>
            <dd className="caption">
              {rows.map(({ label }) => omitGroup(label, group)).join(' · ')}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
