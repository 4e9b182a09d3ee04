import { useState } from 'react';
import type { LoadBody, StageFigures } from '../../../shared/checks/check.ts';
import { findLargestAtOnce } from '../../../shared/checks/load/measure-stage.ts';
import { formatCount, formatDuration, formatRate } from '../../lib/format-quantity.ts';
import { classNames } from '../../ui/class-names.ts';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './check.module.css';
import { formatShare } from './check-plan.tsx';
import { LoadChart, Marker, type Series } from './load-chart.tsx';
import { hasTokens, loadFigures } from './load-form.tsx';

const labels = { ...loadFigures, requestTokensPerSecond: 'Tokens/s per request' };
type Figure = keyof typeof labels;

const options = (Object.keys(labels) as Figure[]).map((value) => ({ value, label: labels[value] }));

const delayHelp =
  'How long this computer took from a response to the next request: p50 and maximum. ' +
  'If it is long, this computer is the limit, not the gateway.';

export function LoadResult({ body }: { body: LoadBody }) {
  const { operation, results, target, stages, sent } = body;
  const isStreamed = hasTokens(operation);
  const [figure, setFigure] = useState<Figure>(
    target?.figure ?? (isStreamed ? 'firstTokenMs' : 'totalMs'),
  );
  const format = figure === 'requestTokensPerSecond' ? formatRate : formatDuration;
  const numbers = [...new Set(stages.map(({ atOnce }) => atOnce))].sort((a, b) => a - b);
  const measured = results.filter((each) => each.stages.length > 0);
  if (measured.length === 0) {
    return (
      <>
        <p className="hint">Nothing measured yet</p>
        <SentRequest sent={sent} />
      </>
    );
  }
  const listSeries = (read: (stage: StageFigures) => number | null) =>
    measured.map(
      ({ model, stages: ended }): Series => ({
        model,
        points: ended.flatMap((stage) => {
          const value = read(stage);
          return value === null ? [] : { atOnce: stage.atOnce, value };
        }),
      }),
    );
  return (
    <>
      {target !== null && (
        <ul className={classNames(styles.targets, 'wrap-12')} aria-label="Target">
          {measured.map(({ model, stages: ended }) => (
            <li key={model}>
              <strong>{describeLargest(ended)}</strong>
              {measured.length > 1 && ` for ${model}`}
            </li>
          ))}
          <li>
            with {labels[target.figure].toLowerCase()} p{target.percentile} ≤{' '}
            {formatDuration(target.ms)}
          </li>
        </ul>
      )}
      {isStreamed && (
        <Segmented label="Metric" value={figure} options={options} onValueChange={setFigure} />
      )}
      <div className={styles.charts}>
        <LoadChart
          title={`${labels[figure]} (solid p50, dashed p90)`}
          stages={numbers}
          solid={listSeries((stage) => stage[figure]?.p50 ?? null)}
          dashed={listSeries((stage) => stage[figure]?.p90 ?? null)}
          limit={target?.figure === figure ? target.ms : null}
          format={format}
        />
        <LoadChart
          title={`Throughput (${isStreamed ? 'tokens' : 'requests'}/s)`}
          stages={numbers}
          solid={listSeries((stage) =>
            isStreamed ? stage.tokensPerSecond : stage.requestsPerSecond,
          )}
          format={formatRate}
        />
      </div>
      <p className="wrap-12 caption">
        {measured.map(({ model }, index) => (
          <span key={model} className="row-4">
            <Marker index={index} />
            {model}
          </span>
        ))}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard can't scroll it. */}
      <div className={styles.tableBox} data-scroller tabIndex={0}>
        <table
          className={classNames(styles.table, styles.numbers)}
          aria-label={`Metrics: ${labels[figure]}`}
        >
          <thead>
            <tr>
              {['At once', 'Requests', 'Errors', 'p50', 'p90', 'p95', 'p99'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">
                <Tooltip text={`Successful requests with “${labels[figure]}”.`}>Count</Tooltip>
              </th>
              <th scope="col">Requests/s</th>
              <th scope="col">Tokens/s</th>
              <th scope="col">
                <Tooltip text={delayHelp}>Client delay</Tooltip>
              </th>
              {target !== null && <th scope="col">Target</th>}
            </tr>
          </thead>
          {measured.map(({ model, stages: ended }) => (
            <tbody key={model}>
              {measured.length > 1 && (
                <tr>
                  <th scope="rowgroup" colSpan={12} className={styles.group}>
                    {model}
                  </th>
                </tr>
              )}
              {ended.map((stage) => (
                <tr key={stage.atOnce}>
                  <th scope="row">{stage.atOnce}</th>
                  <td>{formatCount(stage.requests)}</td>
                  <td className={classNames(stage.failed > 0 && styles.errors)}>
                    {describeErrors(stage)}
                  </td>
                  {(['p50', 'p90', 'p95', 'p99'] as const).map((name) => (
                    <td key={name}>{formatValue(stage[figure]?.[name], format)}</td>
                  ))}
                  <td>{formatValue(stage[figure]?.count, formatCount)}</td>
                  <td>{formatValue(stage.requestsPerSecond, formatRate)}</td>
                  <td>{formatValue(stage.tokensPerSecond, formatRate)}</td>
                  <td>{describeDelay(stage)}</td>
                  {target !== null && <td>{renderTarget(stage)}</td>}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <p className="hint">
        Requests after the warm-up. Percentiles are of successful ones: p95 needs 20, p99 needs 100.
      </p>
      <SentRequest sent={sent} />
    </>
  );
}

function SentRequest({ sent: { first, count } }: Pick<LoadBody, 'sent'>) {
  return (
    <details>
      <summary>
        {count === 1 ? 'Request' : `First of ${formatCount(count)} requests in turn`}
      </summary>
      <JsonView label="Request" value={first} />
    </details>
  );
}

function formatValue(value: number | null | undefined, format: (value: number) => string): string {
  return value == null ? '–' : format(value);
}

function renderTarget({ meetsTarget }: StageFigures) {
  if (meetsTarget === null) return '–';
  const label = meetsTarget ? 'Met' : 'Missed';
  return <StatusMark label={label} tone={meetsTarget ? 'success' : 'danger'} />;
}

/** Too few requests decide nothing. */
function describeLargest(stages: readonly StageFigures[]): string {
  const atOnce = findLargestAtOnce(stages);
  if (atOnce !== null) return `${atOnce} at once`;
  return stages.every(({ meetsTarget }) => meetsTarget === null) ? 'Can’t tell' : 'No stage';
}

function describeDelay({ clientDelayMs: delay }: StageFigures): string {
  return delay === null ? '–' : `${formatDuration(delay.p50)}, ${formatDuration(delay.max)}`;
}

function describeErrors({ failed, errorShare, errors }: StageFigures): string {
  if (failed === 0) return '0';
  const kinds = Object.entries(errors).map(
    ([kind, count]) => `${kind.replaceAll('-', ' ')} ${count}`,
  );
  return `${formatShare(errorShare)} (${kinds.join(', ')})`;
}
