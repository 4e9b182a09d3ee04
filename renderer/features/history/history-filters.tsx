import { useQuery } from '@tanstack/react-query';
import type { DateRange } from '../../../shared/saved-run-filter.ts';
import { orpc } from '../../lib/api.ts';
import { useConnections } from '../../lib/connections.ts';
import { getPanelLabel, operationNames } from '../../lib/panels.ts';
import { filterStatuses } from '../../run/frame/run-status.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './history.module.css';
import { useHistory } from './history-store.ts';
import { SavedFilters } from './saved-filters.tsx';

const any = '';

const dateOptions = [
  { value: any, label: 'Any time' },
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'between', label: 'Between dates…' },
];

export function HistoryFilters() {
  const filter = useHistory((state) => state.filter);
  const { search, operation, model, connectionId, status } = filter;
  const { narrow } = useHistory.getState();
  const { data: models = [] } = useQuery(orpc.runs.models.queryOptions());
  const { connections } = useConnections();
  return (
    <search className={styles.filters}>
      <div className={styles.searchLine}>
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
        <SavedFilters />
      </div>
      <Select
        label="Type"
        hideLabel
        value={operation ?? any}
        options={[
          { value: any, label: 'All types' },
          ...operationNames.map((name) => ({ value: name, label: getPanelLabel(name) })),
        ]}
        onValueChange={(value) => narrow({ operation: value === any ? null : value })}
      />
      <Select
        label="Model"
        hideLabel
        value={model ?? any}
        options={[
          { value: any, label: 'All models' },
          ...withChosen(models, model).map((name) => ({ value: name, label: name })),
        ]}
        onValueChange={(value) => narrow({ model: value === any ? null : value })}
      />
      <Select
        label="Run connection"
        hideLabel
        value={connectionId ?? any}
        options={[
          { value: any, label: 'All connections' },
          ...connections.map(({ id, name }) => ({ value: id, label: name })),
          ...(connectionId === null || connections.some(({ id }) => id === connectionId)
            ? []
            : [{ value: connectionId, label: 'Deleted connection' }]),
        ]}
        onValueChange={(value) => narrow({ connectionId: value === any ? null : value })}
      />
      <Select
        label="Status"
        hideLabel
        value={status ?? any}
        options={[{ value: any, label: 'Any status' }, ...filterStatuses]}
        onValueChange={(value) => narrow({ status: value === any ? null : value })}
      />
      <DateFilter dates={filter.dates} onChange={(dates) => narrow({ dates })} />
    </search>
  );
}

function withChosen(models: readonly string[], chosen: string | null): readonly string[] {
  return chosen === null || models.includes(chosen) ? models : [...models, chosen];
}

function getDateOption(dates: DateRange): string {
  if (dates.kind === 'any') return any;
  return dates.kind === 'recent' ? String(dates.days) : dates.kind;
}

interface DateFilterProps {
  dates: DateRange;
  onChange: (dates: DateRange) => void;
}

function DateFilter({ dates, onChange }: DateFilterProps) {
  const value = getDateOption(dates);
  const options = dateOptions.some((option) => option.value === value)
    ? dateOptions
    : [...dateOptions, { value, label: `Last ${value} days` }];
  return (
    <>
      <Select
        label="Date"
        hideLabel
        value={value}
        options={options}
        onValueChange={(next) => {
          if (next === any) onChange({ kind: 'any' });
          else if (next === 'between') onChange({ kind: 'between', first: null, last: null });
          else onChange({ kind: 'recent', days: Number(next) });
        }}
      />
      {dates.kind === 'between' && (
        <div className={styles.dates}>
          <DateField
            label="From"
            value={dates.first}
            onChange={(first) => onChange({ ...dates, first })}
            error={null}
          />
          <DateField
            label="To"
            value={dates.last}
            onChange={(last) => onChange({ ...dates, last })}
            error={
              dates.first !== null && dates.last !== null && dates.last < dates.first
                ? 'Enter a date that isn’t before the first.'
                : null
            }
          />
        </div>
      )}
    </>
  );
}

interface DateFieldProps {
  label: string;
  value: string | null;
  error: string | null;
  onChange: (date: string | null) => void;
}

function DateField({ label, value, error, onChange }: DateFieldProps) {
  return (
    <TextField
      label={label}
      type="date"
      min="2020-01-01"
      max="2100-01-01"
      value={value ?? ''}
      error={error}
      onValueChange={(date) => onChange(/^\d{4}-\d\d-\d\d$/.test(date) ? date : null)}
    />
  );
}
