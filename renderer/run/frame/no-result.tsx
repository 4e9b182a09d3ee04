import { Button } from '../../ui/button.tsx';
import { RetryIcon } from '../../ui/icons/actions.tsx';
import { WarningIcon } from '../../ui/icons/status.tsx';
import styles from './no-result.module.css';

interface NoResultProps {
  /** Why, in a sentence. */
  reason: string;
  onRetry?: (() => void) | undefined;
}

/** A run that ended well and brought nothing usable. */
export function NoResult({ reason, onRetry }: NoResultProps) {
  return (
    <div role="alert" className={styles.notice}>
      <span className={styles.icon}>
        <WarningIcon />
      </span>
      <p className={styles.text}>
        <strong>No result.</strong> {reason}
      </p>
      {onRetry !== undefined && (
        <Button size="small" icon={<RetryIcon size={14} />} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
