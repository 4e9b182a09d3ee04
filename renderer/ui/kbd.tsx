import { shortcutKeys } from '../lib/shortcut.ts';
import styles from './kbd.module.css';

export interface KbdProps {
  shortcut: string;
}

export function Kbd({ shortcut }: KbdProps) {
  return (
    <span className={styles.keys}>
      {shortcutKeys(shortcut).map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
