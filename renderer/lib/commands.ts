import { createContext, useContext, useEffect, useId } from 'react';
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
  byOwner: Readonly<Record<string, readonly ScopedCommand[]>>;
  /** The open dialogs; only commands of the last one have shortcuts. */
  dialogs: readonly string[];
}

interface ScopedCommand extends Command {
  /** The dialog that contains the command; null for the page. */
  dialog: string | null;
}

const useCommandStore = create<Commands>(() => ({ byOwner: {}, dialogs: [] }));

/** Provides the ID of the dialog that contains a component; null for the page. */
export const DialogContext = createContext<string | null>(null);

/** Disables all shortcuts outside a modal dialog while it is open; returns its ID. */
export function useDialogShortcuts(): string {
  const dialog = useId();
  useEffect(() => {
    useCommandStore.setState(({ dialogs }) => ({ dialogs: [...dialogs, dialog] }));
    return () =>
      useCommandStore.setState(({ dialogs }) => ({
        dialogs: dialogs.filter((other) => other !== dialog),
      }));
  }, [dialog]);
  return dialog;
}

/** Registers the commands while the component is mounted, always with the latest `run`. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useId();
  const dialog = useContext(DialogContext);
  useEffect(() =>
    put(
      owner,
      commands.map((command) => ({ ...command, dialog })),
    ),
  );
  useEffect(() => () => put(owner, null), [owner]);
}

export function useCommandList(): Command[] {
  const byOwner = useCommandStore((state) => state.byOwner);
  return getEnabled(byOwner).filter(({ listed, dialog }) => listed !== false && dialog === null);
}

/** Runs the command of the pressed shortcut, unless a control has handled the key. */
export function runShortcut(press: KeyboardEvent): void {
  if (press.defaultPrevented || press.isComposing || press.repeat) return;
  const [target] = press.composedPath();
  const isTyping = target instanceof Element && target.matches(TEXT_FIELD);
  // Plain characters are shortcuts only outside fields that they are typed in.
  if (press.key === '?' && (isTyping || target instanceof HTMLSelectElement)) return;
  const { byOwner, dialogs } = useCommandStore.getState();
  const open = dialogs.at(-1) ?? null;
  // The last registered command wins.
  const command = getEnabled(byOwner).findLast(
    ({ dialog, shortcut, whileTyping = true }) =>
      dialog === open &&
      shortcut !== undefined &&
      matchesShortcut(shortcut, press) &&
      (whileTyping || !isTyping),
  );
  if (command === undefined) return;
  press.preventDefault();
  command.run();
}

const TEXT_FIELD =
  'input:not([type="range"], [type="checkbox"], [type="radio"]), textarea, [contenteditable="true"]';

function put(owner: string, commands: readonly ScopedCommand[] | null): void {
  useCommandStore.setState(({ byOwner }) => {
    const before = byOwner[owner];
    if (commands === null) {
      const { [owner]: _, ...rest } = byOwner;
      return { byOwner: rest };
    }
    return before !== undefined && looksSame(before, commands)
      ? mutateRuns(before, commands)
      : { byOwner: { ...byOwner, [owner]: commands } };
  });
}

/** Avoids a render if only the functions changed. */
function mutateRuns(
  before: readonly ScopedCommand[],
  after: readonly ScopedCommand[],
): Partial<Commands> {
  for (const [index, command] of before.entries()) {
    const newer = after[index];
    if (newer !== undefined) command.run = newer.run;
  }
  return {};
}

function looksSame(before: readonly ScopedCommand[], after: readonly ScopedCommand[]): boolean {
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

function getEnabled(byOwner: Commands['byOwner']): ScopedCommand[] {
  return Object.values(byOwner)
    .flat()
    .filter(({ enabled }) => enabled !== false);
}
