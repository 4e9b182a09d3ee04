import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { Exchange } from '../../../../shared/exchange.ts';
import { formatCount } from '../../../lib/format-quantity.ts';
import { useRovingList } from '../../../ui/roving-list.ts';
import { ExchangeLine, FoldLine } from './exchange-line.tsx';
import styles from './exchange-list.module.css';
import { type ExchangeRow, exchangeRows } from './exchange-rows.ts';

interface ExchangeListProps {
  exchanges: Exchange[];
  /** The number of the one that the tabs show. */
  shown: number;
  onShow: (number: number) => void;
}

/** The exchanges of a run: a roving list that shows the reached one; Right and Left open and close a fold. */
export function ExchangeList({ exchanges, shown, onShow }: ExchangeListProps) {
  const list = useRef<VListHandle>(null);
  const [openFolds, setOpenFolds] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => exchangeRows(exchanges, openFolds), [exchanges, openFolds]);
  const firstHost = getHost(exchanges[0]);
  const shownRow = rows.find((row) => holds(row, shown));
  const roving = useRovingList({
    keys: useMemo(() => rows.map(getKey), [rows]),
    currentKey: shownRow === undefined ? null : getKey(shownRow),
    textOf: (index) => getWords(rows[index]),
    scrollTo: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
    onMove: (index) => {
      const row = rows[index];
      if (row?.kind === 'exchange') onShow(row.exchange.number);
    },
  });

  function setOpen(fold: number, open: boolean) {
    setOpenFolds((before) => {
      const after = new Set(before);
      if (open) after.add(fold);
      else after.delete(fold);
      return after;
    });
  }

  /** Right and Left open and close a fold; the other keys move. */
  function onKeyDown(event: KeyboardEvent) {
    const row = rows[roving.stop];
    if (event.key === 'ArrowRight' && row?.kind === 'fold') {
      setOpen(row.number, true);
    } else if (event.key === 'ArrowLeft' && row?.kind === 'fold') {
      setOpen(row.number, false);
    } else if (event.key === 'ArrowLeft' && row?.kind === 'exchange' && row.inFold !== null) {
      roving.moveTo(rows.findIndex((fold) => isFold(fold, row.inFold)));
    } else {
      return roving.listProps.onKeyDown(event);
    }
    event.preventDefault();
  }

  return (
    <section className={styles.exchanges}>
      <h3 className={styles.title}>{formatCount(exchanges.length)} exchanges</h3>
      <VList
        ref={list}
        data={rows}
        bufferSize={1200}
        keepMounted={[roving.stop]}
        className={styles.list}
        role="list"
        aria-label="Exchanges"
        {...roving.listProps}
        onKeyDown={onKeyDown}
      >
        {(row, index) =>
          row.kind === 'fold' ? (
            <FoldLine
              key={getKey(row)}
              exchanges={row.exchanges}
              open={row.isOpen}
              shown={!row.isOpen && holds(row, shown)}
              rowKey={getKey(row)}
              tabIndex={roving.tabIndexOf(index)}
              onToggle={() => setOpen(row.number, !row.isOpen)}
            />
          ) : (
            <ExchangeLine
              key={getKey(row)}
              exchange={row.exchange}
              short={row.inFold !== null}
              host={getHost(row.exchange) === firstHost ? null : getHost(row.exchange)}
              shown={row.exchange.number === shown}
              rowKey={getKey(row)}
              tabIndex={roving.tabIndexOf(index)}
              onShow={() => onShow(row.exchange.number)}
            />
          )
        }
      </VList>
    </section>
  );
}

function getKey(row: ExchangeRow): string {
  return row.kind === 'fold' ? `fold-${row.number}` : `exchange-${row.exchange.number}`;
}

function isFold(row: ExchangeRow, number: number | null): boolean {
  return row.kind === 'fold' && row.number === number;
}

/** Whether the line represents the exchange, by itself or folded. */
function holds(row: ExchangeRow, number: number): boolean {
  if (row.kind === 'exchange') return row.exchange.number === number;
  return !row.isOpen && row.exchanges.some((exchange) => exchange.number === number);
}

function getHost(exchange: Exchange | undefined): string {
  return URL.parse(exchange?.url ?? '')?.host ?? '';
}

/** What a line is found by when it is typed. */
function getWords(row: ExchangeRow | undefined): string {
  const exchange = row?.kind === 'fold' ? row.exchanges[0] : row?.exchange;
  return exchange === undefined ? '' : `${exchange.method} ${exchange.url.replaceAll('/', ' ')}`;
}
