/** Matches shortcuts such as `Mod+Shift+K` to key presses and formats them for display. */

function isMac(): boolean {
  return /Mac|iP(hone|ad)/.test(navigator.platform);
}

function getParts(shortcut: string): string[] {
  return shortcut.split(/\+(?=.)/);
}

/** Returns the key names for the user's platform. */
export function listShortcutKeys(shortcut: string): string[] {
  const names: Record<string, string> = {
    Enter: '↵',
    Escape: 'Esc',
    ArrowUp: '↑',
    ArrowDown: '↓',
    ArrowLeft: '←',
    ArrowRight: '→',
    ...(isMac() ? { Mod: '⌘', Shift: '⇧', Alt: '⌥' } : { Mod: 'Ctrl' }),
  };
  return getParts(shortcut).map((key) => names[key] ?? key);
}

export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

export function matchesShortcut(shortcut: string, press: KeyPress): boolean {
  const parts = getParts(shortcut);
  const key = parts.at(-1);
  if (key === undefined || press.key.toLowerCase() !== key.toLowerCase()) return false;
  const mod = isMac() ? press.metaKey : press.ctrlKey;
  const otherMod = isMac() ? press.ctrlKey : press.metaKey;
  return (
    mod === parts.includes('Mod') &&
    !otherMod &&
    // Depending on the keyboard layout, `?` may need Shift.
    (key === '?' || press.shiftKey === parts.includes('Shift')) &&
    press.altKey === parts.includes('Alt')
  );
}

/** Shortcuts that mean the same in every panel. */
export const panelShortcuts = {
  run: { title: 'Run', shortcut: 'Mod+Enter', keywords: 'retry run again send' },
  stop: { title: 'Stop', shortcut: 'Escape' },
  sidebar: { title: 'Toggle parameters', shortcut: 'Mod+Shift+P' },
  view: {
    title: 'Next request view',
    shortcut: 'Mod+Shift+E',
    keywords: 'form json code switch edit body',
  },
} as const;
