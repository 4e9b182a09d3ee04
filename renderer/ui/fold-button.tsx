import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './fold-button.module.css';
import { ChevronDownIcon, ChevronRightIcon } from './icons/status.tsx';

interface FoldButtonProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The ID of the content, which exists only while it is open. */
  controls?: string;
  children: ReactNode;
}

/** Opens and closes the content below it. Its arrow aligns with the text above. */
export function FoldButton({ open, onOpenChange, controls, children }: FoldButtonProps) {
  return (
    <Button
      size="small"
      variant="quiet"
      className={styles.fold ?? ''}
      icon={open ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
      aria-expanded={open}
      {...(open && controls !== undefined && { 'aria-controls': controls })}
      onClick={() => onOpenChange(!open)}
    >
      {children}
    </Button>
  );
}
