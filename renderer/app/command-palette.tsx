import { Fragment, useEffect, useId, useRef, useState } from 'react';
import { type Command, matchingCommands, useCommandList } from '../lib/commands.ts';
import { Kbd } from '../ui/kbd.tsx';
import list from '../ui/list-box.module.css';
import styles from './command-palette.module.css';

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const listId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const commands = matchingCommands(
    useCommandList().filter(({ id }) => id !== 'palette.open'),
    query,
  );

  useEffect(() => {
    const element = dialog.current;
    const returnTo = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus();
    };
  }, []);

  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);

  const choose = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    // After the palette has given the focus back: what the command focuses stays focused.
    requestAnimationFrame(() => command.run());
  };

  return (
    <dialog
      ref={dialog}
      aria-label="Command palette"
      className={styles.palette}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (by !== undefined && commands.length > 0) {
          event.preventDefault();
          setActive((active + by + commands.length) % commands.length);
        } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          choose(commands[active]);
        }
      }}
    >
      <div className={styles.box}>
        <input
          type="text"
          role="combobox"
          aria-label="Command"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={commands.length > 0 ? `${listId}-${active}` : undefined}
          placeholder="Type a command or search…"
          autoComplete="off"
          spellCheck={false}
          className={styles.input}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
        />
        <div id={listId} role="listbox" tabIndex={-1} aria-label="Commands" className={styles.list}>
          {commands.map((command, index) => (
            <Fragment key={command.id}>
              {command.group !== commands[index - 1]?.group && (
                <div role="presentation" className={list.group}>
                  {command.group}
                </div>
              )}
              <div
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                data-active={index === active}
                className={list.option}
                onMouseMove={() => setActive(index)}
                onMouseUp={() => choose(command)}
              >
                <span className={list.optionText}>{command.title}</span>
                {command.shortcut !== undefined && <Kbd shortcut={command.shortcut} />}
              </div>
            </Fragment>
          ))}
          {commands.length === 0 && <p className={list.note}>No matching commands</p>}
        </div>
      </div>
    </dialog>
  );
}
