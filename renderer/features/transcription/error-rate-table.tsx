import { formatCount } from '../../lib/format-quantity.ts';
import { markBest } from '../../run/compare/figures-table.ts';
import table from '../../run/compare/metric-table.module.css';
import type { ErrorCounts } from '../../run/compare/metrics/transcript-alignment.ts';
import { classNames } from '../../ui/class-names.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './aligned-transcripts.module.css';

interface ErrorRateTableProps {
  baseName: string;
  /** False if the transcripts are compared with another transcript. */
  isReference: boolean;
  transcripts: readonly { id: string; name: string }[];
  wordErrors: readonly ErrorCounts[];
  /** Null until computed. */
  characterErrors: readonly ErrorCounts[] | null;
}

const source =
  'Substitutions, deletions and insertions, divided by the length of the reference ' +
  '(Morris, Maier and Green 2004; counted as JiWER does).';

const columns = [
  ['WER', `Word error rate. ${source}`],
  ['CER', `Character error rate. ${source}`],
  ['Substituted', 'Words replaced by other words'],
  ['Deleted', 'Missing words'],
  ['Inserted', 'Extra words'],
  ['Correct', 'Matching words'],
] as const;

export function ErrorRateTable(props: ErrorRateTableProps) {
  const { baseName, isReference, transcripts, wordErrors, characterErrors } = props;
  const bestWords = markBest(
    wordErrors.map(({ rate }) => rate),
    'least',
    formatRate,
  );
  const bestCharacters = markBest(
    (characterErrors ?? []).map(({ rate }) => rate),
    'least',
    formatRate,
  );
  const hasBest = transcripts.length > 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard can't scroll it.
    <div className={table.box} data-scroller tabIndex={0}>
      <table className={table.table}>
        <caption className={classNames(styles.caption, 'caption')}>
          {isReference ? 'Errors against the reference text' : `Differences from ${baseName}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Transcript</th>
            {columns.map(([name, help]) => (
              <th key={name} scope="col" className={table.number}>
                <Tooltip text={help}>{name}</Tooltip>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {transcripts.map(({ id, name }, at) => {
            const words = wordErrors[at];
            return (
              <tr key={id}>
                <th scope="row" className={table.name}>
                  {name}
                </th>
                <Rate rate={words?.rate} isBest={hasBest && bestWords[at] === true} />
                <Rate
                  rate={characterErrors === null ? undefined : (characterErrors[at]?.rate ?? null)}
                  isBest={hasBest && bestCharacters[at] === true}
                />
                {[words?.substituted, words?.deleted, words?.inserted, words?.same].map(
                  (count, column) => (
                    <td key={columns[column + 2]?.[0]} className={table.number}>
                      {formatCount(count ?? 0)}
                    </td>
                  ),
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface RateProps {
  /** Null if there is nothing to divide by; undefined until computed. */
  rate: number | null | undefined;
  isBest: boolean;
}

function Rate({ rate, isBest }: RateProps) {
  return (
    <td className={classNames(table.number, isBest && table.best)}>
      {rate === undefined ? '…' : rate === null ? '–' : formatRate(rate)}
      {isBest && <span className="visually-hidden"> (best)</span>}
    </td>
  );
}

function formatRate(rate: number): string {
  return `${(rate * 100).toFixed(1)}%`;
}
