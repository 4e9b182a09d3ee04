import { shortcutKeys } from '../lib/shortcut.ts';
import styles from './kbd.module.css';

export interface KbdProps {
  /** A shortcut such as `Mod+Enter`. */
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
