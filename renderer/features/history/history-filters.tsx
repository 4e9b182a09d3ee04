import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { costTooltip, formatCost } from '../../../shared/cost.ts';
import { api, orpc } from '../../lib/api.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { operationNames, panelLabel } from '../../lib/panels.ts';
import { outcomeLabel, runOutcomes } from '../../run/frame/run-status.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './history.module.css';
import { useHistory } from './history-store.ts';

const any = '';

export function HistoryFilters() {
  const { search, operation, model, status } = useHistory((state) => state.filter);
  const { narrow } = useHistory.getState();
  const { data: models = [] } = useQuery(orpc.runs.models.queryOptions());
  return (
    <search className={styles.filters}>
      <TextField
        label="Search runs"
        hideLabel
        type="search"
        className={styles.search}
        value={search}
        onValueChange={(text) => narrow({ search: text })}
        placeholder="Search prompts and responses"
        maxLength={200}
      />
      <Select
        label="Type"
        hideLabel
        value={operation ?? any}
        options={[
          { value: any, label: 'All types' },
          ...operationNames.map((name) => ({ value: name, label: panelLabel(name) })),
        ]}
        onValueChange={(value) => narrow({ operation: value === any ? null : value })}
      />
      <Select
        label="Model"
        hideLabel
        value={model ?? any}
        options={[
          { value: any, label: 'All models' },
          ...models.map((name) => ({ value: name, label: name })),
        ]}
        onValueChange={(value) => narrow({ model: value === any ? null : value })}
      />
      <Select
        label="Status"
        hideLabel
        value={status ?? any}
        options={[
          { value: any, label: 'Any status' },
          ...runOutcomes.map((value) => ({ value, label: outcomeLabel(value) })),
        ]}
        onValueChange={(value) => narrow({ status: value === any ? null : value })}
      />
    </search>
  );
}

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
    // Start the key with the run list's key, so that both queries are refetched together.
    queryKey: [...orpc.runs.list.key(), 'cost', input],
    queryFn: ({ signal }) => api.runs.cost(input, { signal }),
    placeholderData: keepPreviousData,
  });
  if (data === undefined || data.dollars === null) return null;
  return (
    <Tooltip text={costTooltip}>
      <p className={classNames(styles.cost, 'caption tabular fixed')}>
        Est. cost {formatCost(data.dollars)} ({pluralize(data.runs, 'priced run')})
      </p>
    </Tooltip>
  );
}
