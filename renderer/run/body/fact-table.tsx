import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './fact-table.module.css';

interface FactTableProps {
  label: string;
  facts: readonly (readonly [name: string, value: string, help?: string])[];
}

/** Names and values: headers, or what a reply says about itself. */
export function FactTable({ label, facts }: FactTableProps) {
  if (facts.length === 0) return null;
  return (
    <table className={styles.facts} aria-label={label}>
      <tbody>
        {facts.map(([name, value, help], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headers may repeat, and never move.
          <Tooltip key={index} text={help}>
            <tr>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          </Tooltip>
        ))}
      </tbody>
    </table>
  );
}
