// Hand-written because Base UI's Autocomplete tracks the active option by index, not by ID.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { type Command, useCommandList } from '../../lib/commands.ts';
import { useRoute } from '../../lib/route.ts';
import { Modal } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import list from '../../ui/list-box.module.css';
import styles from './command-palette.module.css';
import { groupPaste, usePaste } from './pasted-command.ts';
import { filterCommands, groupCommands } from './rank-commands.ts';
import { takeBufferedText } from './type-ahead-buffer.tsx';
import { useFoundCommands } from './use-found-commands.ts';

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const options = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  // True if the user pressed Enter before the search returned results.
  const [isEntered, setIsEntered] = useState(false);
  // An ID stays valid if later results are inserted before the active command.
  const [activeId, setActiveId] = useState<string | null>(null);
  const { panel } = useRoute();
  const recentIds = useRecentCommands(({ ids }) => ids);
  const offered = useCommandList().filter(({ id }) => id !== 'palette.open');
  const found = useFoundCommands(query);
  const { paste, isReading, handlePaste, forgetPaste } = usePaste(setQuery);
  const all = [...offered, ...found.commands];
  const groups =
    paste !== null
      ? groupPaste(paste)
      : query.trim() === ''
        ? groupCommands(all, recentIds, panel)
        : filterCommands(all, query, recentIds);
  const commands = groups.flatMap((group) => group.commands);
  const active = Math.max(
    0,
    commands.findIndex(({ id }) => id === activeId),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when another option is active or moved
  useEffect(() => {
    options.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, activeId]);

  const choose = (command: Command) => {
    if (paste === null) rememberCommand(command.id);
    onClose();
    // Run the command once the palette has returned focus, so that the command can move it.
    requestAnimationFrame(() => command.run());
  };

  useLayoutEffect(() => {
    const ahead = takeBufferedText();
    // In development, strict mode runs this effect twice; the buffer is then already empty.
    setQuery((text) => ahead.text || text);
    setIsEntered((was) => ahead.isEntered || was);
  }, []);
  useEffect(() => {
    if (!isEntered) return;
    const command = commands[active];
    if (command !== undefined) choose(command);
    if (command !== undefined || !(found.isSearching || isReading)) setIsEntered(false);
  });

  const optionId = (command: Command | undefined) =>
    command === undefined ? undefined : `${listId}-${command.id}`;

  return (
    <Modal
      label="Command palette"
      className={styles.palette}
      getInitialFocus={() => input.current}
      onClose={onClose}
      onKeyDown={(event) => {
        // Any other key cancels a pending Enter.
        if (event.key !== 'Enter') setIsEntered(false);
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (by !== undefined && commands.length > 0) {
          event.preventDefault();
          setActiveId(commands[(active + by + commands.length) % commands.length]?.id ?? null);
        } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          setIsEntered(true);
        }
      }}
    >
      <input
        ref={input}
        type="text"
        dir="auto"
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={optionId(commands[active])}
        placeholder="Search commands, models, conversations and runs"
        autoComplete="off"
        spellCheck={false}
        className={styles.input}
        value={query}
        onPaste={handlePaste}
        onChange={(event) => {
          forgetPaste();
          setQuery(event.target.value);
          setActiveId(null);
          // Pasting and dictation don't fire a keydown event.
          setIsEntered(false);
        }}
      />
      <div
        ref={options}
        id={listId}
        role="listbox"
        tabIndex={-1}
        aria-label="Commands"
        className={styles.list}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
          <div key={group.name} role="group" aria-label={group.name}>
            <div role="presentation" className={list.group}>
              {group.name}
            </div>
            {group.commands.map((command) => (
              <div
                key={command.id}
                id={optionId(command)}
                role="option"
                tabIndex={-1}
                aria-selected={command === commands[active]}
                aria-keyshortcuts={command.shortcut?.replace('Mod', 'Control')}
                data-active={command === commands[active]}
                className={list.option}
                onMouseMove={() => setActiveId(command.id)}
                onMouseUp={() => choose(command)}
              >
                <span className="grow truncate">{command.title}</span>
                {command.detail !== undefined && (
                  <span className={styles.detail}>{command.detail}</span>
                )}
                {command.shortcut !== undefined && (
                  <span aria-hidden="true">
                    <Kbd shortcut={command.shortcut} />
                  </span>
                )}
              </div>
            ))}
          </div>
        ))}
        {commands.length === 0 && (
          <p className={`hint ${list.note}`}>
            {paste?.kind === 'problem'
              ? `Can’t open the pasted request. ${paste.message}`
              : found.isSearching || isReading
                ? 'Searching…'
                : 'No matching commands'}
          </p>
        )}
      </div>
    </Modal>
  );
}

const recentAtMost = 12;

/** IDs of chosen commands, newest first. */
const useRecentCommands = create<{ ids: readonly string[] }>()(
  persist((): { ids: readonly string[] } => ({ ids: [] }), { name: 'gatehouse:recent-commands' }),
);

function rememberCommand(id: string): void {
  useRecentCommands.setState(({ ids }) => ({
    ids: [id, ...ids.filter((other) => other !== id)].slice(0, recentAtMost),
  }));
}
