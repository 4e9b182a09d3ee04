import { listShortcutKeys } from '../lib/shortcut.ts';
import styles from './kbd.module.css';

export interface KbdProps {
  shortcut: string;
}

export function Kbd({ shortcut }: KbdProps) {
  return (
    <span className={styles.keys}>
      {listShortcutKeys(shortcut).map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
