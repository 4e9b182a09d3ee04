import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './settings.module.css';

interface SettingRowProps {
  label: string;
  help: ReactNode;
  children: ReactNode;
}

export function SettingRow({ label, help, children }: SettingRowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.rowText}>
        <span>{label}</span>
        {help !== null && <span className={classNames(styles.rowHelp, 'hint')}>{help}</span>}
      </div>
      {children}
    </div>
  );
}
