// A native button: Base UI's button adds nothing to one that is never disabled.
import type { ReactNode } from 'react';
import styles from './chip.module.css';
import { useFocusPassing } from './pass-focus.ts';
import { Tooltip } from './tooltip.tsx';

export interface ChipProps {
  problem?: string | null;
  onClick: () => void;
  children: ReactNode;
}

export function Chip({ problem = null, onClick, children }: ChipProps) {
  return (
    <Tooltip text={problem}>
      <button
        ref={useFocusPassing()}
        type="button"
        className={`truncate ${styles.chip}`}
        data-problem={problem !== null || undefined}
        aria-description={problem ?? undefined}
        onClick={onClick}
      >
        {children}
      </button>
    </Tooltip>
  );
}
