import { useEffect } from 'react';
import { type Command, runShortcut, useCommands } from '../lib/commands.ts';
import { connectGateway } from '../lib/connections.ts';
import { toggleInspector } from '../lib/layout.ts';
import { getPanelLabel, type PanelName, panelNames } from '../lib/panels.ts';
import { navigate } from '../lib/route.ts';

/** Panels of operations have Mod+1…9 in rail order; the others have their own shortcuts. */
export function getPanelShortcut(panel: PanelName): string {
  if (panel === 'settings') return 'Mod+,';
  if (panel === 'check') return 'Mod+Shift+X';
  if (panel === 'history') return 'Mod+Shift+H';
  if (panel === 'library') return 'Mod+Shift+L';
  return `Mod+${panelNames.indexOf(panel) + 1}`;
}

export function useShellCommands(open: (name: 'palette' | 'shortcuts') => void): void {
  const goTo = panelNames.map(
    (name): Command => ({
      id: `go.${name}`,
      title: getPanelLabel(name),
      group: 'Go to',
      shortcut: getPanelShortcut(name),
      run: () => navigate(name),
    }),
  );
  useCommands([
    ...goTo,
    {
      id: 'inspector.toggle',
      title: 'Toggle inspector',
      group: 'View',
      shortcut: 'Mod+J',
      keywords: 'runs request response events timing code',
      run: toggleInspector,
    },
    {
      id: 'palette.open',
      title: 'Open command palette',
      group: 'View',
      shortcut: 'Mod+K',
      run: () => open('palette'),
    },
    {
      id: 'shortcuts.open',
      title: 'Keyboard shortcuts',
      group: 'View',
      shortcut: '?',
      run: () => open('shortcuts'),
    },
    {
      id: 'connection.add',
      title: 'Add connection',
      group: 'Connections',
      keywords: 'gateway base url api key',
      run: connectGateway,
    },
  ]);
}

/** Controls call `preventDefault` on keys that they handle. */
export function useShortcutKeys(): void {
  useEffect(() => {
    window.addEventListener('keydown', runShortcut);
    return () => window.removeEventListener('keydown', runShortcut);
  }, []);
}
