import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon } from '../../ui/icons/actions.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons/status.tsx';
import styles from './result.module.css';

interface ResultActionsProps {
  choiceCount: number;
  choiceIndex: number;
  continuation: string;
  running: boolean;
  onChoice: (choiceIndex: number) => void;
  onContinue: () => void;
  onInspect: () => void;
}

export function ResultActions({
  choiceCount,
  choiceIndex,
  continuation,
  running,
  onChoice,
  onContinue,
  onInspect,
}: ResultActionsProps) {
  return (
    <div className={styles.actions}>
      {choiceCount > 1 && (
        <span className={styles.choices}>
          <IconButton
            size="small"
            label="Previous choice"
            icon={<ChevronLeftIcon size={14} />}
            disabled={choiceIndex === 0}
            onClick={() => onChoice(choiceIndex - 1)}
          />
          <span>
            {choiceIndex + 1} / {choiceCount}
          </span>
          <IconButton
            size="small"
            label="Next choice"
            icon={<ChevronRightIcon size={14} />}
            disabled={choiceIndex >= choiceCount - 1}
            onClick={() => onChoice(choiceIndex + 1)}
          />
        </span>
      )}
      {continuation !== '' && !running && (
        <Button size="small" variant="quiet" onClick={onContinue}>
          Continue from here
        </Button>
      )}
      {continuation !== '' && <CopyButton label="Copy continuation" content={() => continuation} />}
      <IconButton
        size="small"
        label="Inspect"
        icon={<InspectIcon size={14} />}
        onClick={onInspect}
      />
    </div>
  );
}
