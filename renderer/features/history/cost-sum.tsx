import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { costTooltip } from '../../../shared/cost.ts';
import { formatCost } from '../../../shared/format-cost.ts';
import { api, orpc } from '../../lib/api.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './history.module.css';
import { useHistory } from './history-store.ts';

/** What all runs of the filter cost together; nothing where none of them has an estimate. */
export function CostSum() {
  const { search, operation, model, status } = useDeferredValue(
    useHistory((state) => state.filter),
  );
  const input = {
    connectionId: null,
    operation,
    model,
    status,
    search: search.trim().slice(0, 200),
  };
  const { data } = useQuery({
    // Fetched again whenever the list is.
    queryKey: [...orpc.runs.list.key(), 'cost', input],
    queryFn: ({ signal }) => api.runs.cost(input, { signal }),
    placeholderData: keepPreviousData,
  });
  if (data === undefined || data.dollars === null) return null;
  return (
    <Tooltip text={costTooltip}>
      <p className={styles.cost}>
        Est. cost {formatCost(data.dollars)} for {pluralize(data.runs, 'run')} with a price
      </p>
    </Tooltip>
  );
}
