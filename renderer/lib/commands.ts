import { useEffect, useId } from 'react';
import { create } from 'zustand';
import { matchesShortcut } from './shortcut.ts';

/** An action that the palette, tooltips and Settings list with its shortcut. */
export interface Command {
  /** A globally unique ID, such as `chat.new`. */
  id: string;
  title: string;
  /** The heading in the palette, such as `Go to` or `Chat`. */
  group: string;
  detail?: string | undefined;
  shortcut?: string;
  /** Additional search terms. */
  keywords?: string;
  /** If false, a focused text field handles the shortcut. */
  whileTyping?: boolean;
  /** If false, the command isn't listed and its shortcut does nothing. */
  enabled?: boolean;
  /** If false, the command isn't listed, but its shortcut explains why it's unavailable. */
  listed?: boolean;
  run: () => void;
}

interface Commands {
  /** Groups commands by owner, so that a component can replace its commands in one update. */
  byOwner: Readonly<Record<string, readonly Command[]>>;
}

const useCommandStore = create<Commands>(() => ({ byOwner: {} }));

/** Registers the commands while the component is mounted, always with the latest `run`. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useId();
  useEffect(() => put(owner, commands));
  useEffect(() => () => put(owner, null), [owner]);
}

export function useCommandList(): Command[] {
  const byOwner = useCommandStore((state) => state.byOwner);
  return getEnabled(byOwner).filter(({ listed }) => listed !== false);
}

function currentCommands(): Command[] {
  return getEnabled(useCommandStore.getState().byOwner);
}

/** Runs the command of the pressed shortcut; returns false if there is none. */
export function runShortcut(press: KeyboardEvent): boolean {
  // The last registered command wins, so a dialog overrides the panel.
  const command = currentCommands().findLast(
    ({ shortcut, whileTyping = true }) =>
      shortcut !== undefined &&
      matchesShortcut(shortcut, press) &&
      (whileTyping || !isTextField(press.target)),
  );
  if (command === undefined) return false;
  press.preventDefault();
  // A held key counts as a single press.
  if (!press.repeat) command.run();
  return true;
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, [contenteditable="true"]');
}

function put(owner: string, commands: readonly Command[] | null): void {
  useCommandStore.setState(({ byOwner }) => {
    const before = byOwner[owner];
    if (commands === null) {
      const { [owner]: _, ...rest } = byOwner;
      return { byOwner: rest };
    }
    return before !== undefined && looksSame(before, commands)
      ? mutateRuns(before, commands)
      : { byOwner: { ...byOwner, [owner]: commands.map((command) => ({ ...command })) } };
  });
}

/** Avoids a render if only the functions changed. */
function mutateRuns(before: readonly Command[], after: readonly Command[]): Partial<Commands> {
  for (const [index, command] of before.entries()) {
    const newer = after[index];
    if (newer !== undefined) command.run = newer.run;
  }
  return {};
}

function looksSame(before: readonly Command[], after: readonly Command[]): boolean {
  return (
    before.length === after.length &&
    before.every((command, index) => {
      const other = after[index];
      return (
        other !== undefined &&
        command.id === other.id &&
        command.title === other.title &&
        command.group === other.group &&
        command.shortcut === other.shortcut &&
        command.enabled === other.enabled &&
        command.listed === other.listed
      );
    })
  );
}

function getEnabled(byOwner: Commands['byOwner']): Command[] {
  return Object.values(byOwner)
    .flat()
    .filter(({ enabled }) => enabled !== false);
}
