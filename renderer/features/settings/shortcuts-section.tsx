import { useCommandList } from '../../lib/commands.ts';
import { panelShortcuts } from '../../lib/shortcut.ts';
import { Kbd } from '../../ui/kbd.tsx';
import styles from './settings.module.css';

export function ShortcutsSection() {
  const inPanels = Object.values(panelShortcuts);
  const elsewhere = useCommandList().flatMap(({ id, title, group, shortcut }) =>
    shortcut === undefined || id.startsWith('panel.')
      ? []
      : [{ title: group === 'Go to' ? `Go to ${title}` : title, shortcut }],
  );
  return (
    <ul className={styles.card}>
      {[...inPanels, ...elsewhere].map(({ title, shortcut }) => (
        <li key={title} className={styles.row}>
          <span>{title}</span>
          <Kbd shortcut={shortcut} />
        </li>
      ))}
    </ul>
  );
}
