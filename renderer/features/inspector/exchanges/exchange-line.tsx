import { assertNever } from '../../../../shared/assert-never.ts';
import type { Exchange, ExchangeEnding } from '../../../../shared/exchange.ts';
import { exchangeTotalMs, timingTooltips } from '../../../../shared/run-times.ts';
import { formatBytes, formatCount, formatDuration } from '../../../lib/format-quantity.ts';
import { ChevronDownIcon, ChevronRightIcon } from '../../../ui/icons/status.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import styles from './exchange-list.module.css';

interface ExchangeLineProps {
  exchange: Exchange;
  /** Below an open fold, which names the request. */
  short: boolean;
  /** Where it is not that of the run's first exchange. */
  host: string | null;
  shown: boolean;
  rowKey: string;
  tabIndex: number;
  onShow: () => void;
}

/** One exchange: request, outcome, duration and size. */
export function ExchangeLine({
  exchange,
  short,
  host,
  shown,
  rowKey,
  tabIndex,
  onShow,
}: ExchangeLineProps) {
  const { method, url, startedAtMs } = exchange;
  const state = exchangeState(exchange);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list puts its own element around each.
    <div role="listitem" data-row={rowKey} className={styles.item}>
      <Tooltip text={`${method} ${url}`}>
        <button
          type="button"
          className={styles.row}
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
                <span className={styles.method}>{method}</span>
                <span className={styles.path}>
                  {host}
                  {shortPath(url)}
                </span>
              </span>
              <span className={styles.line}>
                <span className={styles.state} data-tone={state.tone}>
                  {state.words}
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
      ? exchangeTotalMs(timings)
      : endedAtMs === null
        ? null
        : endedAtMs - startedAtMs;
  return (
    <span className={styles.figures}>
      {total !== null && (
        <Tooltip text={`Total. ${timingTooltips.total}`}>
          <span>{formatDuration(total)}</span>
        </Tooltip>
      )}
      {total !== null && timings !== null && ' · '}
      {timings !== null && formatBytes(timings.receivedBytes)}
    </span>
  );
}

interface FoldLineProps {
  /** Alike, at least two. */
  exchanges: Exchange[];
  open: boolean;
  /** Closed, with the shown one inside. */
  shown: boolean;
  rowKey: string;
  tabIndex: number;
  onToggle: () => void;
}

/** Exchanges that are alike in one line: `12 polls`. */
export function FoldLine({ exchanges, open, shown, rowKey, tabIndex, onToggle }: FoldLineProps) {
  const [first] = exchanges;
  if (first === undefined) return null;
  const { words, tone } = exchangeState(first);
  const what = first.taskWord === null ? 'requests' : 'polls';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtual list puts its own element around each.
    <div role="listitem" data-row={rowKey} className={styles.item}>
      <Tooltip text={`${first.method} ${first.url}`}>
        <button
          type="button"
          className={styles.row}
          aria-current={shown || undefined}
          aria-expanded={open}
          tabIndex={tabIndex}
          onClick={onToggle}
        >
          <span className={styles.line}>
            <span className={styles.chevron}>
              {open ? <ChevronDownIcon size={12} /> : <ChevronRightIcon size={12} />}
            </span>
            <span className={styles.count}>
              {formatCount(exchanges.length)} {what}
            </span>
            <span className={styles.state} data-tone={tone}>
              · {first.taskWord ?? words}
            </span>
          </span>
        </button>
      </Tooltip>
    </div>
  );
}

/** The end of a long path distinguishes exchanges; the tooltip has all of it. */
function shortPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? url;
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.length > 3 ? `/…/${segments.at(-1)}` : path;
}

interface ExchangeState {
  /** `200 · in_progress`, `503`, `Interrupted`. */
  words: string;
  tone: 'going' | 'good' | 'bad' | 'open';
}

/** The progress or outcome of an exchange, in a few words. */
function exchangeState({ status, taskWord, ending }: Exchange): ExchangeState {
  if (ending === null)
    return { words: status === null ? 'Waiting…' : `${status} …`, tone: 'going' };
  const endText = describeEnding(ending, status);
  const words = [status, taskWord, endText].filter((word) => word !== null).join(' · ');
  return { words, tone: getTone(ending) };
}

/** Null if the status says it. */
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
