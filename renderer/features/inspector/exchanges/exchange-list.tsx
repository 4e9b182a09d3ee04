import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { Exchange } from '../../../../shared/exchange.ts';
import { formatCount } from '../../../lib/format-quantity.ts';
import { ExchangeLine, FoldLine } from './exchange-line.tsx';
import styles from './exchange-list.module.css';
import { type ExchangeRow, exchangeRows } from './exchange-rows.ts';

interface ExchangeListProps {
  exchanges: Exchange[];
  /** The number of the one that the tabs speak of. */
  shown: number;
  onShow: (number: number) => void;
}

/** The exchanges of a run: one Tab stop, arrow keys move and show, Right and Left open and close a fold. */
export function ExchangeList({ exchanges, shown, onShow }: ExchangeListProps) {
  const list = useRef<VListHandle>(null);
  const root = useRef<HTMLElement>(null);
  const [openFolds, setOpenFolds] = useState<ReadonlySet<number>>(new Set());
  const [reached, setReached] = useState<string | null>(null);
  const [moves, setMoves] = useState(0);
  const rows = useMemo(() => exchangeRows(exchanges, openFolds), [exchanges, openFolds]);
  const firstHost = hostOf(exchanges[0]);
  const shownIndex = rows.findIndex((row) => holds(row, shown));
  const reachedIndex = rows.findIndex((row) => keyOf(row) === reached);
  const stop = reachedIndex >= 0 ? reachedIndex : Math.max(0, shownIndex);

  useEffect(() => {
    if (moves > 0) root.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [moves]);

  function moveTo(index: number) {
    const at = Math.max(0, Math.min(index, rows.length - 1));
    const row = rows[at];
    if (row === undefined) return;
    setReached(keyOf(row));
    setMoves((count) => count + 1);
    if (row.kind === 'exchange') onShow(row.exchange.number);
    list.current?.scrollToIndex(at, { align: 'nearest' });
  }

  function setOpen(fold: number, open: boolean) {
    setReached(`fold-${fold}`);
    setOpenFolds((before) => {
      const after = new Set(before);
      if (open) after.add(fold);
      else after.delete(fold);
      return after;
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    const row = rows[stop];
    switch (event.key) {
      case 'ArrowDown':
        moveTo(stop + 1);
        break;
      case 'ArrowUp':
        moveTo(stop - 1);
        break;
      case 'Home':
        moveTo(0);
        break;
      case 'End':
        moveTo(rows.length - 1);
        break;
      case 'ArrowRight':
        if (row?.kind === 'fold') setOpen(row.number, true);
        break;
      case 'ArrowLeft':
        if (row?.kind === 'fold') setOpen(row.number, false);
        else if (row?.inFold != null) moveTo(rows.findIndex((fold) => isFold(fold, row.inFold)));
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside take the keys.
    <section ref={root} className={styles.exchanges} onKeyDown={onKeyDown}>
      <h3 className={styles.title}>{formatCount(exchanges.length)} exchanges</h3>
      <VList
        ref={list}
        data={rows}
        bufferSize={1200}
        keepMounted={[stop]}
        className={styles.list}
        role="list"
        aria-label="Exchanges"
      >
        {(row, index) =>
          row.kind === 'fold' ? (
            <FoldLine
              key={keyOf(row)}
              exchanges={row.exchanges}
              open={row.isOpen}
              shown={!row.isOpen && holds(row, shown)}
              tabIndex={index === stop ? 0 : -1}
              onToggle={() => setOpen(row.number, !row.isOpen)}
            />
          ) : (
            <ExchangeLine
              key={keyOf(row)}
              exchange={row.exchange}
              short={row.inFold !== null}
              host={hostOf(row.exchange) === firstHost ? null : hostOf(row.exchange)}
              shown={row.exchange.number === shown}
              tabIndex={index === stop ? 0 : -1}
              onShow={() => {
                setReached(keyOf(row));
                onShow(row.exchange.number);
              }}
            />
          )
        }
      </VList>
    </section>
  );
}

function keyOf(row: ExchangeRow): string {
  return row.kind === 'fold' ? `fold-${row.number}` : `exchange-${row.exchange.number}`;
}

function isFold(row: ExchangeRow, number: number | null): boolean {
  return row.kind === 'fold' && row.number === number;
}

/** Whether the line stands for the exchange, by itself or folded. */
function holds(row: ExchangeRow, number: number): boolean {
  if (row.kind === 'exchange') return row.exchange.number === number;
  return !row.isOpen && row.exchanges.some((exchange) => exchange.number === number);
}

function hostOf(exchange: Exchange | undefined): string {
  return URL.parse(exchange?.url ?? '')?.host ?? '';
}
