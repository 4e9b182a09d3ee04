/** The keys that every panel gives the same meaning. */
export const panelShortcuts = {
  run: { title: 'Run', shortcut: 'Mod+Enter' },
  stop: { title: 'Stop', shortcut: 'Escape' },
  sidebar: { title: 'Show or hide parameters', shortcut: 'Mod+Shift+P' },
} as const;
