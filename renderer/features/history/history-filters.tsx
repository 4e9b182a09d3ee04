import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../lib/api.ts';
import { operationNames, panelLabel } from '../../lib/panels.ts';
import { outcomeLabel, runOutcomes } from '../../run/frame/run-status.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './history.module.css';
import { useHistory } from './history-store.ts';

const any = '';

/** Which runs are listed. */
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
        label="Operation"
        hideLabel
        value={operation ?? any}
        options={[
          { value: any, label: 'All operations' },
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
