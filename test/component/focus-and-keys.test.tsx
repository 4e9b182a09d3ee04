import { type ReactNode, useState } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../../renderer/ui/button.tsx';
import { ConfirmDialog } from '../../renderer/ui/dialog.tsx';
import { Menu } from '../../renderer/ui/menu.tsx';
import { guardRepeatedPresses } from '../../renderer/ui/press-guard.ts';
import { focusRow, useRovingList } from '../../renderer/ui/roving-list.ts';
import { typeWord } from './type-word.ts';

describe('repeated presses', () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  /** Simulates the `count`th click in a row, because a busy driver could click again too late. */
  function clickAgain(name: string, count: number): void {
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, detail: count });
    button(name).element().dispatchEvent(click);
  }

  /** Renders one element that changes, or two elements that swap in place. */
  function RunOrStop({ replaced, onStop }: { replaced: boolean; onStop: () => void }) {
    const [isRunning, setRunning] = useState(false);
    const key = replaced && isRunning ? 'stop' : 'run';
    return (
      <Button key={key} onClick={() => (isRunning ? onStop() : setRunning(true))}>
        {isRunning ? 'Stop' : 'Run'}
      </Button>
    );
  }

  it('ignores the second click of a double click on a changed control, but not a key press', async () => {
    onTestFinished(guardRepeatedPresses());
    for (const replaced of [false, true]) {
      const onStop = vi.fn();
      const screen = await render(<RunOrStop replaced={replaced} onStop={onStop} />);
      await userEvent.click(button('Run'));
      await expect.element(button('Stop')).toBeVisible();
      clickAgain('Stop', 2);
      expect(onStop).not.toHaveBeenCalled();
      button('Stop').element().focus();
      await userEvent.keyboard('{Enter}');
      expect(onStop).toHaveBeenCalledOnce();
      await userEvent.click(button('Stop'));
      expect(onStop).toHaveBeenCalledTimes(2);
      await screen.unmount();
    }
  });

  it('counts every click on a control that didn’t change', async () => {
    onTestFinished(guardRepeatedPresses());
    const onAdd = vi.fn();
    await render(<Button onClick={onAdd}>Add variant</Button>);
    await userEvent.click(button('Add variant'));
    clickAgain('Add variant', 2);
    clickAgain('Add variant', 3);
    expect(onAdd).toHaveBeenCalledTimes(3);
  });

  it('ignores a key that is still held after focus moves to another control', async () => {
    onTestFinished(guardRepeatedPresses());
    const onDismiss = vi.fn();
    await render(
      <>
        <Button onClick={() => button('Dismiss').element().focus()}>Undo</Button>
        <Button onClick={onDismiss}>Dismiss</Button>
      </>,
    );
    button('Undo').element().focus();
    await userEvent.keyboard('{Enter>5/}');
    await expect.element(button('Dismiss')).toHaveFocus();
    expect(onDismiss).not.toHaveBeenCalled();
  });
});

describe('rows', () => {
  const fruits = ['Apple', 'Apricot', 'Banana', 'Blood orange', 'Cherry', 'Red apple'];

  /** Renders rows with a button and a menu each, like the conversation list. */
  function FruitList({ current = null }: { current?: string | null }) {
    const roving = useRovingList({
      keys: fruits,
      currentKey: current,
      getItemText: (index) => fruits[index] ?? '',
    });
    return (
      <>
        <button type="button">Before</button>
        <ul aria-label="Fruits" {...roving.listProps}>
          {fruits.map((name, index) => (
            <li key={name} data-row={name}>
              <button type="button" tabIndex={roving.getTabIndex(index)}>
                <span aria-hidden="true">
                  <video tabIndex={-1} muted />
                </span>
                {name}
              </button>
              <Menu
                label={`Actions for ${name}`}
                tabIndex={-1}
                items={[{ id: 'remove', label: 'Remove', onSelect: () => undefined }]}
              />
            </li>
          ))}
        </ul>
        <button type="button">After</button>
      </>
    );
  }

  /** Renders rows, some of which arrive later. */
  function LateList({ keys }: { keys: readonly string[] }) {
    const roving = useRovingList({
      name: 'late',
      keys,
      currentKey: null,
      getItemText: (index) => keys[index] ?? '',
    });
    return (
      <>
        <button type="button">Undo</button>
        <ul {...roving.listProps}>
          {keys.map((key, index) => (
            <li key={key} data-row={key}>
              <button type="button" tabIndex={roving.getTabIndex(index)}>
                {key}
              </button>
            </li>
          ))}
        </ul>
      </>
    );
  }

  describe('focusing a row', () => {
    it('focuses a row as soon as its list renders it', async () => {
      const screen = await render(<LateList keys={['one', 'two']} />);
      focusRow('other', 'one');
      focusRow('late', 'three');
      await screen.rerender(<LateList keys={['one', 'two', 'three']} />);
      await expect.element(screen.getByRole('button', { name: 'three' })).toHaveFocus();
    });

    it('keeps focus where the user moved it in the meantime', async () => {
      const screen = await render(<LateList keys={['one', 'two']} />);
      focusRow('late', 'three');
      await screen.getByRole('button', { name: 'Undo' }).click();
      await screen.rerender(<LateList keys={['one', 'two', 'three']} />);
      await expect.element(screen.getByRole('button', { name: 'three' })).toBeVisible();
      await expect.element(screen.getByRole('button', { name: 'Undo' })).toHaveFocus();
    });
  });

  const focused = () =>
    document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

  describe('a roving list', () => {
    it('uses one Tab stop, moves by key or typing, and reaches the controls in a row', async () => {
      const screen = await render(<FruitList />);
      screen.getByRole('button', { name: 'Before' }).element().focus();
      await userEvent.tab();
      for (const [keys, reached] of [
        ['{ArrowUp}', 'Apple'],
        ['{ArrowDown}', 'Apricot'],
        ['{End}', 'Red apple'],
        ['{ArrowDown}', 'Red apple'],
        ['{Home}', 'Apple'],
        ['{PageDown}', 'Red apple'],
        ['{Tab}', 'After'],
        ['{Shift>}{Tab}{/Shift}', 'Apple'],
        ['{Home}b', 'Banana'],
        ['b', 'Blood orange'],
        ['{Home}{ArrowDown}{ArrowRight}', 'Actions for Apricot'],
        ['{ArrowLeft}', 'Apricot'],
      ] as const) {
        await userEvent.keyboard(keys);
        expect(focused()).toBe(reached);
      }
      // A match at the start of a row wins over one at a later word.
      for (const [word, reached] of [
        ['blood o', 'Blood orange'],
        ['ora', 'Blood orange'],
      ] as const) {
        await userEvent.keyboard('{Home}');
        await typeWord(word);
        expect(focused()).toBe(reached);
      }
      await userEvent.keyboard('{Shift>}{F10}{/Shift}');
      await expect.element(screen.getByRole('menuitem', { name: 'Remove' })).toBeVisible();
      await userEvent.keyboard('{Escape}');
      await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
      expect(focused()).toBe('Actions for Blood orange');
    });
  });
});

describe('a removed button', () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  async function pressEnterOn(name: string): Promise<void> {
    button(name).element().focus();
    await userEvent.keyboard('{Enter}');
  }

  /** Renders `before` until its button is pressed, then `after`. */
  function Swap({ before, after }: { before: (press: () => void) => ReactNode; after: ReactNode }) {
    const [isPressed, setPressed] = useState(false);
    return (
      <main tabIndex={-1}>
        <section>{isPressed ? after : before(() => setPressed(true))}</section>
        <Button data-undo-control>Undo</Button>
        <Button data-run-control>Stop</Button>
      </main>
    );
  }

  const fallback = (to: string) => (press: () => void) => (
    <Button data-focus-fallback={to} onClick={press}>
      Press
    </Button>
  );
  const nested = (press: () => void) => (
    <p>
      <Button onClick={press}>Press</Button>
    </p>
  );
  /** Renders buttons that each call `press`. */
  const row =
    (...names: string[]) =>
    (press: () => void) =>
      names.map((name) => (
        <Button key={name} onClick={press}>
          {name}
        </Button>
      ));

  it.each([
    ['what follows it', row('First', 'Press', 'Last'), row('First', 'Last'), 'Last'],
    ['what precedes it', row('First', 'Press'), row('First'), 'First'],
    ['what replaces it', nested, row('New'), 'New'],
    ['Run if it started a run', fallback('run'), row(), 'Stop'],
    ['Undo if it deleted something', fallback('undo'), row(), 'Undo'],
  ] as const)('moves focus from a removed button to %s', async (_to, before, after, focused) => {
    await render(<Swap before={before} after={after(() => undefined)} />);
    await pressEnterOn('Press');
    await expect.element(button('Press')).not.toBeInTheDocument();
    await expect.element(button(focused)).toHaveFocus();
  });

  function Rows() {
    const [names, setNames] = useState(['One', 'Two', 'Three']);
    const [asked, setAsked] = useState<string | null>(null);
    const remove = (name: string | null) =>
      setNames((all) => all.filter((other) => other !== name));
    const roving = useRovingList({
      keys: names,
      currentKey: null,
      getItemText: (index) => names[index] ?? '',
    });
    return (
      <main tabIndex={-1}>
        <ul {...roving.listProps}>
          {names.map((name, index) => (
            <li key={name} data-row={name}>
              <button
                type="button"
                tabIndex={roving.getTabIndex(index)}
                onKeyDown={({ key }) => key === 'Delete' && remove(name)}
                onClick={() => setAsked(name)}
              >
                {name}
              </button>
              <Menu
                label={`More about ${name}`}
                tabIndex={-1}
                items={[{ id: 'delete', label: 'Delete', onSelect: () => remove(name) }]}
              />
            </li>
          ))}
        </ul>
        <ConfirmDialog
          open={asked !== null}
          title="Delete?"
          confirmLabel="Delete"
          onConfirm={() => {
            remove(asked);
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        >
          This can't be undone.
        </ConfirmDialog>
        <Button>Add</Button>
      </main>
    );
  }

  it.each([
    { by: 'a key', keys: '{Delete}' },
    { by: 'its menu', keys: '{Shift>}{F10}{/Shift}' },
    { by: 'a confirmation', keys: '{Enter}' },
  ])('focuses the neighboring row after a deletion by $by', async ({ by, keys }) => {
    await render(<Rows />);
    button('Two').element().focus();
    await userEvent.keyboard(keys);
    if (by === 'its menu') {
      await expect.element(page.getByRole('menuitem', { name: 'Delete' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
    }
    if (by === 'a confirmation') {
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    }
    await expect.element(button('Two')).not.toBeInTheDocument();
    await expect.element(button('Three')).toHaveFocus();
  });
});
