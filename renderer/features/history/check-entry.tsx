import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { formatClock } from '../../lib/format-quantity.ts';
import { Fact, FactList } from '../../run/body/fact-table.tsx';
import {
  checkKindLabels,
  checkStateLabels,
  describeOperations,
  openCheck,
} from '../../run/check/listed-check.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { guardDelete } from '../../ui/press-guard.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import styles from './run-record.module.css';

interface CheckEntryProps {
  checkId: string;
  /** Undefined if the list doesn't have the check. */
  onDelete: (() => void) | undefined;
}

/** Says what the check is; its results are shown in Check. */
export function CheckEntry({ checkId, onDelete }: CheckEntryProps) {
  const { data, error, refetch } = useQuery(orpc.checks.list.queryOptions());
  if (error !== null)
    return <ErrorAlert error={toAppError(error)} onRetry={() => void refetch()} />;
  if (data === undefined) return <Spinner label="Loading check" />;
  const check = data.find(({ id }) => id === checkId);
  if (check === undefined) {
    return <EmptyState title="This check was deleted">Choose another entry.</EmptyState>;
  }
  return (
    <article className="stack-12" aria-label="Check">
      <div className="wrap-12 between">
        <span className="wrap-12">
          <h2 className={styles.title}>{checkKindLabels[check.kind]}</h2>
          <StatusMark {...checkStateLabels[check.state]} />
        </span>
        <ActionBar>
          <Button size="small" variant="primary" onClick={() => openCheck(check)}>
            Open in Check
          </Button>
          {onDelete !== undefined && (
            <Button
              size="small"
              variant="quiet"
              data-focus-fallback="undo"
              onClick={({ currentTarget }) => {
                if (guardDelete(checkId, currentTarget)) onDelete();
              }}
            >
              Delete
            </Button>
          )}
        </ActionBar>
      </div>
      <FactList>
        <Fact name={check.models.length === 1 ? 'Model' : 'Models'}>
          <span className="mono">{check.models.join(', ')}</span>
        </Fact>
        <Fact name={check.kind === 'probe' ? 'Asked about' : 'Operation'}>
          {describeOperations(check)}
        </Fact>
        <Fact name="Connection">{check.connectionName}</Fact>
        <Fact name="Started">{formatClock(check.createdAt, Date.now())}</Fact>
      </FactList>
    </article>
  );
}
