import { IconButton } from '../../../ui/icon-button.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/icons/status.tsx';
import type { Siblings } from './branch.ts';
import styles from './message.module.css';

interface BranchSwitchProps {
  siblings: Siblings;
  onSwitch: (siblingId: string) => void;
}

/** ‹ 2/3 ›: the other versions of this message. */
export function BranchSwitch({ siblings, onSwitch }: BranchSwitchProps) {
  const { ids, position } = siblings;
  const previous = ids[position - 1];
  const next = ids[position + 1];
  return (
    <span className={styles.branchSwitch}>
      <IconButton
        size="small"
        label="Previous version"
        icon={<ChevronLeftIcon size={14} />}
        disabled={previous === undefined}
        onClick={() => previous !== undefined && onSwitch(previous)}
      />
      <span>
        <span className="visually-hidden">Version </span>
        {position + 1}/{ids.length}
      </span>
      <IconButton
        size="small"
        label="Next version"
        icon={<ChevronRightIcon size={14} />}
        disabled={next === undefined}
        onClick={() => next !== undefined && onSwitch(next)}
      />
    </span>
  );
}
