import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon } from '../../ui/icons/close.tsx';
import { CheckIcon } from '../../ui/icons/status.tsx';
import { setTaken, type TakingPanel, useTaken } from './hand-over.ts';
import styles from './hand-over-notice.module.css';

/** Long enough to undo it. */
const SHOWN_MS = 10_000;

/** What the panel has just taken from another one, at the place where it went. */
export function HandOverNotice({ panel }: { panel: TakingPanel }) {
  const taken = useTaken(panel);
  useEffect(() => {
    if (taken === undefined) return;
    const timer = setTimeout(() => setTaken(panel, undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [panel, taken]);
  return (
    <div role="status" className={styles.status}>
      {taken !== undefined && (
        <div className={styles.notice}>
          <CheckIcon size={14} />
          <span>{taken.message}</span>
          {taken.undo !== null && (
            <Button
              size="small"
              variant="quiet"
              onClick={() => {
                taken.undo?.();
                setTaken(panel, undefined);
              }}
            >
              Undo
            </Button>
          )}
          <IconButton
            size="small"
            label="Dismiss"
            icon={<CloseIcon size={12} />}
            onClick={() => setTaken(panel, undefined)}
          />
        </div>
      )}
    </div>
  );
}
