import { formatCount } from '../../../lib/format-quantity.ts';
import { classNames } from '../../../ui/class-names.ts';
import type { JsonChange } from '../metrics/json-diff.ts';
import { useGrowingCount } from '../use-growing-count.ts';
import { DiffFrame, type SharedDiffProps } from './diff-frame.tsx';
import { formatJsonDiff, shorten } from './diff-rows.ts';
import styles from './text-diff.module.css';

interface JsonDifferencesProps extends SharedDiffProps {
  changes: readonly JsonChange[];
}

const BLOCK_ROWS = 50;

export function JsonDifferences({ changes, ...shared }: JsonDifferencesProps) {
  const drawn = useGrowingCount(Math.ceil(changes.length / BLOCK_ROWS));
  return (
    <DiffFrame
      {...shared}
      summary={getSummary(changes)}
      count={changes.length}
      describe={(index) => describeChange(changes[index])}
      copyText={() => formatJsonDiff(changes)}
      onReach={(index) => drawn.reach(Math.floor(index / BLOCK_ROWS))}
      drawnCount={drawn.count}
    >
      {(current) =>
        changes.slice(0, drawn.count * BLOCK_ROWS).map((change, at) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: differences never move
            key={at}
            data-change={at}
            className={classNames(styles.field, at === current && styles.current)}
          >
            <p className={styles.path}>
              {change.path} <span className={styles.kind}>{change.kind}</span>
            </p>
            <div className={classNames(shared.layout === 'side-by-side' && styles.pair)}>
              <Value mark="del" value={change.before} layout={shared.layout} />
              <Value mark="ins" value={change.after} layout={shared.layout} />
            </div>
          </div>
        ))
      }
    </DiffFrame>
  );
}

interface ValueProps {
  mark: 'del' | 'ins';
  /** Null if only the other text has the value. */
  value: string | null;
  layout: SharedDiffProps['layout'];
}

function Value({ mark: Mark, value, layout }: ValueProps) {
  if (value === null) return layout === 'inline' ? null : <p />;
  const hidden = value.length - SHOWN_CHARACTERS;
  return (
    <p className={styles.value}>
      <Mark className={Mark === 'del' ? styles.removed : styles.added}>
        {value.slice(0, SHOWN_CHARACTERS)}
      </Mark>
      {hidden > 0 && <span className={styles.kind}> … {formatCount(hidden)} more characters</span>}
    </p>
  );
}

/** The rest of a longer value isn't shown, but Copy has all of it. */
const SHOWN_CHARACTERS = 5000;

function getSummary(changes: readonly JsonChange[]): string {
  if (changes.length === 0) return 'The JSON values are equal.';
  const count = (kind: JsonChange['kind']) => changes.filter((change) => change.kind === kind);
  const kinds = (['changed', 'added', 'removed'] as const).flatMap((kind) => {
    const { length } = count(kind);
    return length === 0 ? [] : [`${formatCount(length)} ${kind}`];
  });
  return kinds.join(', ');
}

function describeChange(change: JsonChange | undefined): string {
  if (change === undefined) return '';
  const { path, before, after } = change;
  const from = before === null ? [] : [`removed ${shorten(before)}`];
  const to = after === null ? [] : [`added ${shorten(after)}`];
  return `${path}: ${[...from, ...to].join(', ')}`;
}
