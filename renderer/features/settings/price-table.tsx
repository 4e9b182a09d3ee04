import type { ReactNode } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import type { OtherPrice, Price, Rates } from '../../../shared/prices.ts';
import { formatPrice } from '../../lib/format-quantity.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { EditIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { hasGroup, priceColumns } from './price-columns.ts';
import styles from './prices.module.css';

interface PriceTableProps {
  prices: readonly Price[];
  /** Prices from gateways and list prices, which the user's own prices override. */
  others: readonly OtherPrice[];
  connections: readonly Connection[];
  renderCap: (connection: Connection) => ReactNode;
  onEdit: (price: Price) => void;
  onDelete: (price: Price) => void;
  onReplace: (price: OtherPrice) => void;
}

type Row = { model: string; rates: Rates } & (
  | { own: Price; other: null }
  | { own: null; other: OtherPrice }
);

/** Hides token columns that no price uses. */
export function PriceTable(props: PriceTableProps) {
  const { prices, others, connections, renderCap, onEdit, onDelete, onReplace } = props;
  const every = [...prices, ...others];
  const columns = priceColumns.filter(
    ({ name, group }) => group === 'Tokens' && every.some(({ rates }) => rates[name] !== null),
  );
  const hasMedia = every.some(({ rates }) => hasGroup(rates, 'Media'));
  const hasOthers = others.length > 0;
  const groups = connections
    .map((connection) => ({ connection, rows: getRows(connection.id, prices, others) }))
    .filter(({ rows }) => rows.length > 0);
  const columnCount = columns.length + (hasMedia ? 1 : 0) + (hasOthers ? 1 : 0) + 2;
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
            {hasOthers && <th scope="col">Source</th>}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        {groups.map(({ connection, rows }) => (
          <tbody key={connection.id}>
            <tr className={styles.connection}>
              <th scope="rowgroup" colSpan={columnCount}>
                <span className={styles.connectionHead}>
                  {connection.name}
                  {renderCap(connection)}
                </span>
              </th>
            </tr>
            {rows.map(({ model, rates, own, other }) => (
              <tr key={model}>
                <th scope="row" className={styles.model}>
                  {model}
                </th>
                {columns.map(({ name }) => {
                  const rate = rates[name];
                  return (
                    <td key={name} className={styles.number}>
                      {rate === null ? '–' : formatPrice(rate)}
                    </td>
                  );
                })}
                {hasMedia && (
                  <td className={styles.number}>
                    <MediaRates rates={rates} />
                  </td>
                )}
                {hasOthers && (
                  <td className={styles.source}>{other ? getSource(other) : 'Yours'}</td>
                )}
                <td className={styles.rowActions}>
                  <IconButton
                    size="small"
                    label={`Edit price for ${model}`}
                    icon={<EditIcon size={14} />}
                    onClick={() => (own === null ? onReplace(other) : onEdit(own))}
                  />
                  {own !== null && (
                    <IconButton
                      size="small"
                      label={`Delete price for ${model}`}
                      icon={<TrashIcon size={14} />}
                      onClick={() => onDelete(own)}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

/** Lists the user's prices first, then those from other sources. */
function getRows(
  connectionId: string,
  prices: readonly Price[],
  others: readonly OtherPrice[],
): Row[] {
  const isOwnConnection = (price: { connectionId: string }) => price.connectionId === connectionId;
  return [
    ...prices
      .filter(isOwnConnection)
      .map((own): Row => ({ model: own.model, rates: own.rates, own, other: null })),
    ...others
      .filter(isOwnConnection)
      .map((other): Row => ({ model: other.model, rates: other.rates, own: null, other })),
  ];
}

function getSource({ source }: OtherPrice): string {
  return source.kind === 'list' ? `List price, ${source.date}` : 'From the gateway';
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
