import { RUN_COLUMNS, type RunColumn, type RunSort } from '../../../shared/run-sort.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ArrowDownIcon } from '../../ui/icons/status.tsx';
import { Menu } from '../../ui/menu.tsx';
import panelStyles from './history.module.css';
import styles from './history-list.module.css';

const labels: Record<RunColumn, string> = {
  time: 'Time',
  panel: 'Panel',
  model: 'Model',
  connection: 'Connection',
  status: 'Status',
  tokens: 'Tokens',
  cost: 'Cost',
  duration: 'Total time',
};

/** Columns that sort in descending order on the first click. */
const startsDescending: ReadonlySet<RunColumn> = new Set(['time', 'tokens', 'cost', 'duration']);

function getNextSort(sort: RunSort, by: RunColumn): RunSort {
  const isDescending = sort.by === by ? !sort.isDescending : startsDescending.has(by);
  return { by, isDescending };
}

/** Renders a menu that sorts by columns that a narrow list hides. */
export function SortMenu({ sort, onSort }: Pick<HistoryHeaderProps, 'sort' | 'onSort'>) {
  return (
    <Menu
      label="Sort by"
      size="small"
      className={panelStyles.sortMenu ?? ''}
      trigger="Sort by"
      items={RUN_COLUMNS.map((by) => ({
        id: by,
        label: labels[by],
        onSelect: () => onSort(getNextSort(sort, by)),
      }))}
    />
  );
}

interface HistoryHeaderProps {
  sort: RunSort;
  onSort: (sort: RunSort) => void;
  marked: number;
  listed: number;
  onMarkAll: (isMarked: boolean) => void;
}

export function HistoryHeader({ sort, onSort, marked, listed, onMarkAll }: HistoryHeaderProps) {
  const press = (by: RunColumn) => onSort(getNextSort(sort, by));
  const button = (by: RunColumn) => {
    const isSorted = sort.by === by;
    const order = sort.isDescending ? 'descending' : 'ascending';
    return (
      <button
        key={by}
        type="button"
        aria-label={`Sort by ${labels[by].toLowerCase()}${isSorted ? `, ${order}` : ''}`}
        data-sorted={isSorted ? order : undefined}
        className={classNames(styles.sort, styles[by])}
        onClick={() => press(by)}
      >
        <span className="truncate">{labels[by]}</span>
        {isSorted && <ArrowDownIcon size={12} />}
      </button>
    );
  };
  return (
    <div className={styles.header}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as a grid everywhere. */}
      <div className={styles.columns} role="group" aria-label="Sort runs">
        <Checkbox
          checked={listed > 0 && marked === listed}
          indeterminate={marked > 0 && marked < listed}
          onCheckedChange={onMarkAll}
          className={styles.mark}
        >
          <span className="visually-hidden">Select all loaded runs</span>
        </Checkbox>
        {button('time')}
        {button('panel')}
        <span className={classNames(styles.prompt, styles.headerText)}>Prompt</span>
        {(['model', 'connection', 'status', 'tokens', 'cost', 'duration'] as const).map(button)}
      </div>
    </div>
  );
}
