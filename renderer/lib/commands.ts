import { useEffect, useId } from 'react';
import { create } from 'zustand';
import { matchesShortcut } from './shortcut.ts';

/** Something the user can do from the keyboard: the palette, tooltips and the settings list them. */
export interface Command {
  /** Unique among all: `chat.new`. */
  id: string;
  title: string;
  /** Heading in the palette: `Go to`, `Chat`. */
  group: string;
  /** Small text beside the title. */
  detail?: string | undefined;
  shortcut?: string;
  /** Further words that find it. */
  keywords?: string;
  /** False: its shortcut is the text field's own while the focus is in one. */
  whileTyping?: boolean;
  /** False: shown in no list and its shortcut does nothing. */
  enabled?: boolean;
  /** False: shown in no list, but its shortcut says why it cannot be done now. */
  listed?: boolean;
  run: () => void;
}

interface Commands {
  /** By owner, so that a part of the page can replace its own at once. */
  byOwner: Readonly<Record<string, readonly Command[]>>;
}

const useCommandStore = create<Commands>(() => ({ byOwner: {} }));

/** Registers the commands while the component is mounted; `run` is always the newest. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useId();
  useEffect(() => put(owner, commands));
  useEffect(() => () => put(owner, null), [owner]);
}

/** All that can be done now. */
export function useCommandList(): Command[] {
  const byOwner = useCommandStore((state) => state.byOwner);
  return getEnabled(byOwner).filter(({ listed }) => listed !== false);
}

function currentCommands(): Command[] {
  return getEnabled(useCommandStore.getState().byOwner);
}

/** Runs the command whose shortcut was pressed; false if there is none. */
export function runShortcut(press: KeyboardEvent): boolean {
  // The last registered wins: a dialog's over the panel's below it.
  const command = currentCommands().findLast(
    ({ shortcut, whileTyping = true }) =>
      shortcut !== undefined &&
      matchesShortcut(shortcut, press) &&
      (whileTyping || !isTextField(press.target)),
  );
  if (command === undefined) return false;
  press.preventDefault();
  // Held down, it is one press.
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

/** Only the functions changed: nothing to draw again. */
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
