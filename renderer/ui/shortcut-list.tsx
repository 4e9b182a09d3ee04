import { useCommandList } from '../lib/commands.ts';
import { useSettings } from '../lib/settings.ts';
import { panelShortcuts } from '../lib/shortcut.ts';
import { Dialog } from './dialog.tsx';
import { Kbd } from './kbd.tsx';
import styles from './shortcut-list.module.css';

interface Section {
  title: string;
  shortcuts: readonly { title: string; shortcut: string }[];
}

const withinLists: Section = {
  title: 'Lists',
  shortcuts: [
    { title: 'Next or previous', shortcut: 'ArrowDown ArrowUp' },
    { title: 'First or last', shortcut: 'Home End' },
    { title: 'Type to find', shortcut: 'A…Z' },
    { title: 'Row actions', shortcut: 'ArrowRight' },
    { title: 'Row menu', shortcut: 'Shift+F10' },
    { title: 'Rename conversation, file or video', shortcut: 'F2' },
    { title: 'Delete', shortcut: 'Delete' },
    { title: 'Select run', shortcut: 'Space' },
    { title: 'Select multiple runs', shortcut: 'Shift+ArrowDown' },
    { title: 'Select all runs', shortcut: 'Mod+A' },
    { title: 'Expand JSON', shortcut: '*' },
  ],
};

const whileWriting = (enterSends: boolean): Section => ({
  title: 'Text',
  shortcuts: [
    ...(enterSends ? [{ title: 'Send message', shortcut: 'Enter' }] : []),
    { title: 'New line', shortcut: enterSends ? 'Shift+Enter' : 'Enter' },
    { title: 'Run from the query box', shortcut: 'Enter' },
    { title: 'Save and run', shortcut: 'Mod+Enter' },
    { title: 'Close without saving', shortcut: 'Escape' },
  ],
});

const whilePlaying: Section = {
  title: 'Audio and images',
  shortcuts: [
    { title: 'Play or pause', shortcut: 'Space' },
    { title: 'Skip 5 s back or forward', shortcut: 'ArrowLeft ArrowRight' },
    { title: 'Skip 1 s back or forward', shortcut: 'Shift+ArrowLeft Shift+ArrowRight' },
    { title: 'Zoom in or out', shortcut: '+ -' },
    { title: 'Fit image', shortcut: '0' },
    { title: 'Actual size', shortcut: '1' },
  ],
};

export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title="Keyboard shortcuts" size="large" onClose={onClose}>
      <ShortcutList />
    </Dialog>
  );
}

export function ShortcutList() {
  const { enterSends } = useSettings();
  const commands = useCommandList().flatMap(({ id, title, group, shortcut }) =>
    shortcut === undefined || id.startsWith('panel.') ? [] : [{ title, group, shortcut }],
  );
  const groups = [...new Set(commands.map(({ group }) => group))].filter(
    (name) => name !== 'Go to',
  );
  const sections: Section[] = [
    { title: 'Panel', shortcuts: Object.values(panelShortcuts) },
    ...groups.map((name) => ({
      title: name,
      shortcuts: commands.filter(({ group }) => group === name),
    })),
    whileWriting(enterSends),
    withinLists,
    whilePlaying,
    { title: 'Go to', shortcuts: commands.filter(({ group }) => group === 'Go to') },
  ];
  return (
    <div className={styles.sections}>
      {sections.map(({ title, shortcuts }) => (
        <section key={title} aria-label={title} className={styles.section}>
          <h3 className={`heading ${styles.title}`}>{title}</h3>
          <ul>
            {shortcuts.map((entry) => (
              <li key={entry.title} className={`row-8 between ${styles.row}`}>
                <span>{entry.title}</span>
                <span className="row-8">
                  {entry.shortcut.split(' ').map((shortcut) => (
                    <Kbd key={shortcut} shortcut={shortcut} />
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
