import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { Exchange, ExchangeEnding } from '../../../../shared/exchange.ts';
import { getExchangeTotalMs, timingTooltips } from '../../../../shared/run-times.ts';
import { formatBytes, formatCount, formatDuration } from '../../../lib/format-quantity.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ChevronDownIcon, ChevronRightIcon } from '../../../ui/icons/status.tsx';
import { useRovingList } from '../../../ui/roving-list.ts';
import { Tooltip } from '../../../ui/tooltip.tsx';
import styles from './exchange-list.module.css';
import { type ExchangeRow, getExchangeRows } from './exchange-rows.ts';

interface ExchangeListProps {
  exchanges: Exchange[];
  shown: number;
  onShow: (number: number) => void;
}

/** Moving focus selects an exchange; Right and Left expand and collapse a group. */
export function ExchangeList({ exchanges, shown, onShow }: ExchangeListProps) {
  const list = useRef<VListHandle>(null);
  const [openFolds, setOpenFolds] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => getExchangeRows(exchanges, openFolds), [exchanges, openFolds]);
  const firstHost = getHost(exchanges[0]);
  const shownRow = rows.find((row) => hasExchange(row, shown));
  const roving = useRovingList({
    keys: useMemo(() => rows.map(getKey), [rows]),
    currentKey: shownRow === undefined ? null : getKey(shownRow),
    getItemText: (index) => getSearchText(rows[index]),
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
      <h3 className={classNames(styles.title, 'label fixed')}>
        {formatCount(exchanges.length)} exchanges
      </h3>
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
              shown={!row.isOpen && hasExchange(row, shown)}
              rowKey={getKey(row)}
              tabIndex={roving.getTabIndex(index)}
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
              tabIndex={roving.getTabIndex(index)}
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

function hasExchange(row: ExchangeRow, number: number): boolean {
  if (row.kind === 'exchange') return row.exchange.number === number;
  return !row.isOpen && row.exchanges.some((exchange) => exchange.number === number);
}

function getHost(exchange: Exchange | undefined): string {
  return URL.parse(exchange?.url ?? '')?.host ?? '';
}

function getSearchText(row: ExchangeRow | undefined): string {
  const exchange = row?.kind === 'fold' ? row.exchanges[0] : row?.exchange;
  return exchange === undefined ? '' : `${exchange.method} ${exchange.url.replaceAll('/', ' ')}`;
}

interface ExchangeLineProps {
  exchange: Exchange;
  /** An expanded group already shows the request, so this line omits it. */
  short: boolean;
  /** Null if it's the same host as in the first exchange. */
  host: string | null;
  shown: boolean;
  rowKey: string;
  tabIndex: number;
  onShow: () => void;
}

function ExchangeLine({
  exchange,
  short,
  host,
  shown,
  rowKey,
  tabIndex,
  onShow,
}: ExchangeLineProps) {
  const { method, url, startedAtMs } = exchange;
  const state = getExchangeState(exchange);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the virtual list wraps each item in its own element.
    <div role="listitem" data-row={rowKey} className={styles.item}>
      <Tooltip text={`${method} ${url}`}>
        <button
          type="button"
          className={classNames(styles.row, 'bare')}
          data-short={short || undefined}
          aria-current={shown || undefined}
          tabIndex={tabIndex}
          onClick={onShow}
        >
          {short ? (
            <span className={styles.line}>
              <span className={styles.time}>
                <span className="visually-hidden">after </span>
                {formatDuration(startedAtMs)}
              </span>
              <Figures exchange={exchange} />
            </span>
          ) : (
            <>
              <span className={styles.line}>
                <span className={classNames(styles.method, 'mono fixed')}>{method}</span>
                <span className="truncate mono grow">
                  {host}
                  {shortenPath(url)}
                </span>
              </span>
              <span className={styles.line}>
                <span className={classNames(styles.state, 'truncate grow')} data-tone={state.tone}>
                  {state.text}
                </span>
                <Figures exchange={exchange} />
              </span>
            </>
          )}
        </button>
      </Tooltip>
    </div>
  );
}

function Figures({ exchange: { timings, endedAtMs, startedAtMs } }: { exchange: Exchange }) {
  const total =
    timings !== null
      ? getExchangeTotalMs(timings)
      : endedAtMs === null
        ? null
        : endedAtMs - startedAtMs;
  return (
    <span className={styles.figures}>
      {total !== null && (
        <Tooltip text={`Total. ${timingTooltips.total}`}>{formatDuration(total)}</Tooltip>
      )}
      {total !== null && timings !== null && ' · '}
      {timings !== null && formatBytes(timings.receivedBytes)}
    </span>
  );
}

interface FoldLineProps {
  exchanges: Exchange[];
  open: boolean;
  /** True if the group is collapsed and contains the shown exchange. */
  shown: boolean;
  rowKey: string;
  tabIndex: number;
  onToggle: () => void;
}

function FoldLine({ exchanges, open, shown, rowKey, tabIndex, onToggle }: FoldLineProps) {
  const [first] = exchanges;
  if (first === undefined) return null;
  const { text, tone } = getExchangeState(first);
  const what = first.taskWord === null ? 'requests' : 'polls';
  return (
    // biome-ignore lint/a11y/useSemanticElements: the virtual list wraps each item in its own element.
    <div role="listitem" data-row={rowKey} className={styles.item}>
      <Tooltip text={`${first.method} ${first.url}`}>
        <button
          type="button"
          className={classNames(styles.row, 'bare')}
          aria-current={shown || undefined}
          aria-expanded={open}
          tabIndex={tabIndex}
          onClick={onToggle}
        >
          <span className={styles.line}>
            <span className={styles.chevron}>
              {open ? <ChevronDownIcon size={12} /> : <ChevronRightIcon size={12} />}
            </span>
            <span className="fixed">
              {formatCount(exchanges.length)} {what}
            </span>
            <span className={classNames(styles.state, 'truncate grow')} data-tone={tone}>
              · {first.taskWord ?? text}
            </span>
          </span>
        </button>
      </Tooltip>
    </div>
  );
}

/** Keeps the end of a long path, because that's where exchanges differ. */
function shortenPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? url;
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.length > 3 ? `/…/${segments.at(-1)}` : path;
}

interface ExchangeState {
  /** Text such as `200 · in_progress`, `503` or `Interrupted`. */
  text: string;
  tone: 'going' | 'good' | 'bad' | 'open';
}

function getExchangeState({ status, taskWord, ending }: Exchange): ExchangeState {
  if (ending === null) return { text: status === null ? 'Waiting…' : `${status} …`, tone: 'going' };
  const endText = describeEnding(ending, status);
  const text = [status, taskWord, endText].filter((part) => part !== null).join(' · ');
  return { text, tone: getTone(ending) };
}

/** Returns null if the HTTP status already shows how the exchange ended. */
function describeEnding({ status: ending }: ExchangeEnding, status: number | null): string | null {
  switch (ending) {
    case 'succeeded':
      return null;
    case 'failed':
      return status !== null && status >= 400 ? null : 'Failed';
    case 'cancelled':
      return 'Stopped';
    case 'unknown':
      return 'Outcome unknown';
    case 'interrupted':
      return 'Interrupted';
    default:
      return assertNever(ending);
  }
}

function getTone({ status }: ExchangeEnding): ExchangeState['tone'] {
  if (status === 'succeeded') return 'good';
  return status === 'failed' ? 'bad' : 'open';
}
