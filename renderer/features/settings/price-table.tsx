import type { ReactNode } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import type { Price, Rates } from '../../../shared/prices.ts';
import { formatPrice } from '../../lib/format-quantity.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { EditIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { hasGroup, priceColumns } from './price-columns.ts';
import styles from './prices.module.css';

interface PriceTableProps {
  prices: readonly Price[];
  connections: readonly Connection[];
  renderCap: (connection: Connection) => ReactNode;
  onEdit: (price: Price) => void;
  onDelete: (price: Price) => void;
}

/** Hides token columns that no price uses. */
export function PriceTable(props: PriceTableProps) {
  const { prices, connections, renderCap, onEdit, onDelete } = props;
  const columns = priceColumns.filter(
    ({ name, group }) => group === 'Tokens' && prices.some(({ rates }) => rates[name] !== null),
  );
  const hasMedia = prices.some(({ rates }) => hasGroup(rates, 'Media'));
  const groups = connections
    .map((connection) => ({
      connection,
      own: prices.filter(({ connectionId }) => connectionId === connection.id),
    }))
    .filter(({ own }) => own.length > 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard can't scroll it.
    <section className={styles.scroll} aria-label="Price table" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            {columns.map(({ name, label, unit }) => (
              <th key={name} scope="col" className={styles.number}>
                {label} <span className={styles.unit}>{unit}</span>
              </th>
            ))}
            {hasMedia && (
              <th scope="col" className={styles.number}>
                Images, video and audio
              </th>
            )}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        {groups.map(({ connection, own }) => (
          <tbody key={connection.id}>
            <tr className={styles.connection}>
              <th scope="rowgroup" colSpan={columns.length + (hasMedia ? 3 : 2)}>
                <span className={styles.connectionHead}>
                  {connection.name}
                  {renderCap(connection)}
                </span>
              </th>
            </tr>
            {own.map((price) => (
              <tr key={price.id}>
                <th scope="row" className={styles.model}>
                  {price.model}
                </th>
                {columns.map(({ name }) => {
                  const rate = price.rates[name];
                  return (
                    <td key={name} className={styles.number}>
                      {rate === null ? '–' : formatPrice(rate)}
                    </td>
                  );
                })}
                {hasMedia && (
                  <td className={styles.number}>
                    <MediaRates rates={price.rates} />
                  </td>
                )}
                <td className={styles.rowActions}>
                  <IconButton
                    size="small"
                    label={`Edit price for ${price.model}`}
                    icon={<EditIcon size={14} />}
                    onClick={() => onEdit(price)}
                  />
                  <IconButton
                    size="small"
                    label={`Delete price for ${price.model}`}
                    icon={<TrashIcon size={14} />}
                    onClick={() => onDelete(price)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function MediaRates({ rates }: { rates: Rates }) {
  if (!hasGroup(rates, 'Media')) return '–';
  return priceColumns.map(({ name, group, unit }) => {
    const rate = rates[name];
    if (group !== 'Media' || rate === null) return null;
    return (
      <div key={name}>
        {formatPrice(rate)} <span className="hint">{unit}</span>
      </div>
    );
  });
}
