import type { ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';

interface ActionBarProps {
  className?: string | undefined;
  children: ReactNode;
}

/** Lays out small buttons in lines; the text of a quiet one aligns with the text above the bar. */
export function ActionBar({ className, children }: ActionBarProps) {
  return <div className={classNames(styles.actionBar, className)}>{children}</div>;
}
