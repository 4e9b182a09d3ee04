import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import {
  type Check,
  type ListedCheck,
  type ProbeBody,
  type RowVerdict,
  verdictLabels,
} from '../../../shared/checks/check.ts';
import { listProbeColumns, type ProbeColumn } from '../../../shared/checks/probe/columns.ts';
import { listDifferences } from '../../../shared/checks/probe/differences.ts';
import { listProbeRows } from '../../../shared/checks/probe/rows.ts';
import { api } from '../../lib/api.ts';
import { formatDate, pluralize } from '../../lib/format-quantity.ts';
import { inspectRun } from '../../lib/layout.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { InspectIcon } from '../../ui/icons/actions.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { Segmented } from '../../ui/segmented.tsx';
import styles from './check.module.css';
import { formatShare, omitGroup } from './check-plan.tsx';
import { getFormatTitle } from './probe-form.tsx';
import { VerdictMark } from './verdict-mark.tsx';

type Filter = 'all' | 'problems' | 'differ' | 'changed';

interface ProbeMatrixProps {
  check: Check;
  body: ProbeBody;
  isRunning: boolean;
  checks: readonly ListedCheck[];
}

/** Shows a row for each question and a column for each model and format. */
export function ProbeMatrix({ check, body, isRunning, checks }: ProbeMatrixProps) {
  const [filter, setFilter] = useState<Filter>('all');
  const [openKey, setOpenKey] = useState<string | null>(null);
  const columns = listProbeColumns(body);
  const asked = listAskedKeys(body);
  const hasSentences = columns.length < 3;
  const verdicts = new Map(body.verdicts.map((each) => [getKey(each.rowId, each), each]));
  const earlier = useEarlier(check, body, asked, checks);
  const changes = earlier === null ? [] : listDifferences(earlier.verdicts, body.verdicts);
  const changed = new Map(changes.map((each) => [getKey(each.rowId, each), each.earlier]));
  const rows = body.asked.filter(({ id }) => {
    const keys = columns.map((column) => getKey(id, column));
    const found = keys.flatMap((key) => verdicts.get(key)?.verdict ?? []);
    if (filter === 'problems') return found.includes('ignored') || found.includes('rejected');
    if (filter === 'differ') return new Set(found).size > 1;
    return filter === 'all' || keys.some((key) => changed.has(key));
  });
  const roving = useRovingList({
    keys: rows.flatMap(({ id }) => columns.map((column) => getKey(id, column))),
    currentKey: openKey,
    getItemText: (index) => rows[Math.floor(index / columns.length)]?.label ?? '',
    columns: () => columns.length,
  });

  function getName(label: string, { model, format }: ProbeColumn): string {
    return [label, model, ...(body.formats.length > 1 ? [getFormatTitle(format)] : [])].join(', ');
  }

  function renderCell(key: string, index: number, name: string) {
    const verdict = verdicts.get(key);
    const before = changed.get(key);
    return (
      <td key={key} className={styles.place}>
        <button
          type="button"
          data-row={key}
          tabIndex={roving.getTabIndex(index)}
          aria-expanded={openKey === key}
          className={styles.cell}
          onClick={() => setOpenKey(openKey === key ? null : key)}
        >
          <span className="visually-hidden">{name}: </span>
          {verdict === undefined ? (
            <span className="hint">{isRunning && asked.has(key) ? '…' : '–'}</span>
          ) : (
            <VerdictMark verdict={verdict.verdict} />
          )}
          {before !== undefined && (
            <span className="hint">was {verdictLabels[before].toLowerCase()}</span>
          )}
          {hasSentences && (
            <span className={classNames(styles.sentence, 'caption')}>{verdict?.sentence}</span>
          )}
        </button>
      </td>
    );
  }

  return (
    <>
      <div className="wrap-12 between">
        <Segmented
          label="Rows"
          value={filter}
          options={[
            { value: 'all', label: 'All' },
            { value: 'problems', label: 'Ignored or rejected' },
            { value: 'differ', label: 'Differ', disabled: columns.length < 2 },
            { value: 'changed', label: 'Changed', disabled: changes.length === 0 },
          ]}
          onValueChange={setFilter}
        />
        {earlier !== null && !isRunning && (
          <p className="caption">
            {changes.length === 0 ? 'No differences' : pluralize(changes.length, 'difference')} from
            the probe of {formatDate(earlier.createdAt)}
          </p>
        )}
      </div>
      <div className={classNames(styles.tableBox, styles.matrix)}>
        <table className={styles.table} aria-label="Verdicts">
          <thead>
            <tr>
              <th scope="col">Row</th>
              {columns.map((column) => (
                <th key={getKey('', column)} scope="col" title={column.model}>
                  <p className="mono">{column.model}</p>
                  {body.formats.length > 1 && <p>{getFormatTitle(column.format)}</p>}
                  <p>{countHonored(body.verdicts, column)}</p>
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...roving.listProps}>
            {rows.map(({ id, group, label }, at) => {
              const open = columns.find((column) => getKey(id, column) === openKey);
              return (
                <Fragment key={id}>
                  {group !== rows[at - 1]?.group && (
                    <tr>
                      <th scope="rowgroup" colSpan={columns.length + 1} className={styles.group}>
                        <span>{group}</span>
                      </th>
                    </tr>
                  )}
                  <tr>
                    <th scope="row">{omitGroup(label, group)}</th>
                    {columns.map((column, index) =>
                      renderCell(
                        getKey(id, column),
                        at * columns.length + index,
                        getName(label, column),
                      ),
                    )}
                  </tr>
                  {open !== undefined && (
                    <tr>
                      <td colSpan={columns.length + 1} className={styles.place}>
                        <Details
                          name={getName(label, open)}
                          hasSentence={!hasSentences}
                          isAsked={asked.has(getKey(id, open))}
                          verdict={verdicts.get(getKey(id, open))}
                        />
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
        {rows.length === 0 && <p className="hint">No matching rows</p>}
      </div>
    </>
  );
}

interface DetailsProps {
  name: string;
  /** False if the cell shows the sentence. */
  hasSentence: boolean;
  isAsked: boolean;
  verdict: RowVerdict | undefined;
}

function Details({ name, hasSentence, isAsked, verdict }: DetailsProps) {
  if (verdict === undefined) {
    return (
      <p className={styles.detail}>{isAsked ? 'No verdict yet' : 'Not asked in this format'}</p>
    );
  }
  const { sentence, chance, evidence, atMs } = verdict;
  const runId = evidence?.runId ?? null;
  return (
    <section className={classNames(styles.detail, 'stack-4')} aria-label={name}>
      {hasSentence && <p>{sentence}</p>}
      {chance !== null && <p>Likely by chance: {formatShare(chance)}</p>}
      <div className="wrap-12 caption">
        <time dateTime={new Date(atMs).toISOString()}>{formatDate(atMs)}</time>
        {evidence !== null && evidence.field !== '' && <code>{evidence.field}</code>}
        {evidence !== null && runId === null && <span>Evidence deleted</span>}
        {runId !== null && (
          <Button
            size="small"
            icon={<InspectIcon size={14} />}
            onClick={() => inspectRun(runId, 'response')}
          >
            Inspect
          </Button>
        )}
      </div>
    </section>
  );
}

function getKey(rowId: string, { model, format }: ProbeColumn): string {
  return JSON.stringify([rowId, model, format]);
}

/** Lists the cells that get a verdict: a format is asked only for the fields that it sends. */
function listAskedKeys({ models, formats, operations, asked }: ProbeBody): ReadonlySet<string> {
  const ids = new Set(asked.map(({ id }) => id));
  const places = operations.flatMap((operation) =>
    (operation === 'chat' ? formats : ([''] as const)).flatMap((format) =>
      listProbeRows(operation, format).map(({ id }) => ({ id, format })),
    ),
  );
  return new Set(
    places.flatMap(({ id, format }) =>
      ids.has(id) ? models.map((model) => getKey(id, { model, format })) : [],
    ),
  );
}

function countHonored(verdicts: readonly RowVerdict[], { model, format }: ProbeColumn): string {
  const own = verdicts.filter((each) => each.model === model && each.format === format);
  if (own.length === 0) return 'No verdicts yet';
  return `${own.filter(({ verdict }) => verdict === 'honored').length} of ${own.length} honored`;
}

/** Returns the latest earlier probe of the models that asked some of the same rows, by the same rules. */
function useEarlier(
  { id, createdAt }: Check,
  body: ProbeBody,
  asked: ReadonlySet<string>,
  checks: readonly ListedCheck[],
) {
  const ids = checks
    .filter(
      ({ connectionId, models, ...each }) =>
        each.createdAt < createdAt &&
        connectionId === body.connectionId &&
        body.models.every((model) => models.includes(model)),
    )
    .map((each) => each.id);
  const { data } = useQuery({
    queryKey: ['earlier probe', id, ids],
    queryFn: async () => {
      for (const earlierId of ids) {
        const earlier = await api.checks.get({ id: earlierId });
        if (earlier.body.kind !== 'probe' || earlier.body.rulesVersion !== body.rulesVersion)
          continue;
        const { verdicts } = earlier.body;
        if (verdicts.some((each) => asked.has(getKey(each.rowId, each)))) {
          return { createdAt: earlier.createdAt, verdicts };
        }
      }
      return null;
    },
  });
  return data ?? null;
}
