import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { getResponse } from '../../../shared/run-view.ts';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useRunProblem, useRunView } from '../live/live-runs.ts';
import styles from './fact-table.module.css';

interface FactTableProps {
  label: string;
  facts: readonly (readonly [name: string, value: string, help?: string])[];
  /** True if the names and values aren't literal fields of a request or response. */
  isProse?: boolean;
}

export function FactTable({ label, facts, isProse = false }: FactTableProps) {
  if (facts.length === 0) return null;
  return (
    <table className={classNames(styles.facts, isProse && styles.prose)} aria-label={label}>
      <tbody>
        {facts.map(([name, value, help], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headers may repeat, and never move.
          <Tooltip key={index} text={help}>
            <tr>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          </Tooltip>
        ))}
      </tbody>
    </table>
  );
}

/** Renders a row of `Fact`s. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className={styles.list}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ResponseFactsProps {
  runId: string;
  /** Content above the table. */
  lead?: ReactNode;
  /** Content below the table. */
  children?: ReactNode;
}

export function ResponseFacts({ runId, lead, children }: ResponseFactsProps) {
  const view = useRunView(runId);
  const problem = useRunProblem(runId);
  const facts = useMemo(() => (view === null ? null : getResponse(view).facts), [view]);
  const box = useRef<HTMLDivElement>(null);
  const isLoaded = facts !== null;
  // The opened table may be below the visible area.
  useLayoutEffect(() => {
    if (isLoaded) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isLoaded]);
  return (
    <div ref={box} className={styles.box}>
      {facts === null &&
        (problem === null ? (
          <Spinner label="Loading details" />
        ) : (
          <ErrorAlert error={problem} compact />
        ))}
      {facts?.length === 0 && <p className={styles.none}>The response has no details.</p>}
      {facts !== null && (
        <>
          {lead}
          <FactTable label="Response details" facts={facts} />
          {children}
        </>
      )}
    </div>
  );
}
