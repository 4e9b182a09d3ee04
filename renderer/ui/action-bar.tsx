import type { ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';

interface ActionBarProps {
  className?: string | undefined;
  /** Puts the bar at the end of its line; the last button’s text aligns with the text above it. */
  atEnd?: boolean;
  children: ReactNode;
}

/** Lays out small buttons in lines; the text of a quiet one aligns with the text above the bar. */
export function ActionBar({ className, atEnd = false, children }: ActionBarProps) {
  return (
    <div className={classNames(styles.actionBar, atEnd && styles.atEnd, className)}>{children}</div>
  );
}
