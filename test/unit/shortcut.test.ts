import { describe, expect, it } from 'vitest';
import { type KeyPress, listShortcutKeys, matchesShortcut } from '../../renderer/lib/shortcut.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});
const mod: Partial<KeyPress> =
  navigator.platform === 'MacIntel' ? { metaKey: true } : { ctrlKey: true };

describe('a shortcut', () => {
  it.each([
    ['Mod+K', press('k', mod), true],
    ['Mod+K', press('K', { ...mod, shiftKey: true }), false],
    ['Mod+Shift+P', press('P', { ...mod, shiftKey: true }), true],
    ['Mod+Enter', press('Enter', mod), true],
    ['Mod+Enter', press('Enter'), false],
    ['Escape', press('Escape'), true],
    ['Escape', press('Escape', { altKey: true }), false],
    ['Mod+,', press(',', mod), true],
    ['?', press('?', { shiftKey: true }), true],
    ['+', press('+'), true],
  ])('matches %s only with exactly those keys', (shortcut, pressed, expected) => {
    expect(matchesShortcut(shortcut, pressed)).toBe(expected);
  });

  it('lists the keys of a shortcut, even a plus sign', () => {
    expect(listShortcutKeys('+')).toEqual(['+']);
    expect(listShortcutKeys('Shift+ArrowDown').at(-1)).toBe('↓');
  });
});
