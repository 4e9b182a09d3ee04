import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { LinkLostError } from '../../renderer/lib/link.ts';
import { offerUndo, useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import { Button } from '../../renderer/ui/button.tsx';
import { Dialog } from '../../renderer/ui/dialog.tsx';
import { IconButton } from '../../renderer/ui/icon-button.tsx';
import { Menu } from '../../renderer/ui/menu.tsx';
import { Popover } from '../../renderer/ui/popover.tsx';
import { guardRepeatedPresses } from '../../renderer/ui/press-guard.ts';
import { focusRow, useRovingList } from '../../renderer/ui/roving-list.ts';
import { Tooltip, TooltipProvider } from '../../renderer/ui/tooltip.tsx';
import { UndoBars } from '../../renderer/ui/undo-bars.tsx';
import { api } from './panel-fake-main.ts';
import { typeWord } from './type-word.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

describe('repeated presses', () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  /** Clicks as the `count`th click in a row. A busy driver's second click could come too late to be one. */
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

describe('menus and popovers', () => {
  const chosen = vi.fn<(id: string) => void>();

  function Fruits() {
    return (
      <div>
        <button type="button">Before</button>
        <Menu
          label="Fruits"
          items={[
            ...['Apple', 'Banana'].map((label) => ({
              id: label,
              label,
              onSelect: () => chosen(label),
            })),
            'separator',
            { id: 'Cherry', label: 'Cherry', disabled: true, onSelect: () => chosen('Cherry') },
            { id: 'Blueberry', label: 'Blueberry', onSelect: () => chosen('Blueberry') },
          ]}
        />
        <button type="button">After</button>
      </div>
    );
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const item = (name: string) => page.getByRole('menuitem', { name });
  const menu = page.getByRole('menu', { name: 'Fruits' });

  describe('a menu', () => {
    it('ignores Enter on a disabled item', async () => {
      chosen.mockReset();
      await render(<Fruits />);
      button('Fruits').element().focus();
      await userEvent.keyboard('{Enter}');
      await expect.element(item('Apple')).toHaveFocus();
      await userEvent.keyboard('c');
      await expect.element(item('Cherry')).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await expect.element(item('Cherry')).toHaveFocus();
      expect(chosen).not.toHaveBeenCalled();
    });

    it('closes on Escape without closing its dialog', async () => {
      chosen.mockReset();
      const closed = vi.fn<() => void>();
      await render(
        <Dialog open title="Choose" onClose={closed}>
          <Fruits />
        </Dialog>,
      );
      await button('Fruits').click();
      await item('Banana').click();
      expect(chosen.mock.calls).toEqual([['Banana']]);
      await button('Fruits').click();
      await expect.element(menu).toBeVisible();
      await userEvent.keyboard('{Escape}');
      await expect.element(menu).not.toBeInTheDocument();
      await expect.element(button('Fruits')).toHaveFocus();
      await button('Fruits').click();
      await expect.element(menu).toHaveFocus();
      await userEvent.keyboard('{ArrowDown}{Escape}');
      await expect.element(menu).not.toBeInTheDocument();
      await expect.element(button('Fruits')).toHaveFocus();
      expect(closed).not.toHaveBeenCalled();
      await userEvent.keyboard('{Escape}');
      expect(closed).toHaveBeenCalledOnce();
    });
  });

  describe('a popover', () => {
    function Named() {
      const [name, setName] = useState('');
      return (
        <>
          <Popover label="Rename" title="New name" trigger="Rename">
            <input
              aria-label="Name"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Popover>
          <button type="button">After</button>
        </>
      );
    }
    const popover = page.getByRole('dialog', { name: 'New name' });

    it('closes on Escape wherever focus is, without triggering shortcuts', async () => {
      const reached: boolean[] = [];
      const hear = (event: KeyboardEvent) => {
        if (event.key === 'Escape') reached.push(!event.defaultPrevented);
      };
      window.addEventListener('keydown', hear);
      onTestFinished(() => window.removeEventListener('keydown', hear));
      await render(<Named />);
      await button('Rename').click();
      await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
      await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
      await expect.element(button('Rename')).toHaveFocus();
      await expect.element(popover).toBeVisible();
      await userEvent.keyboard('{Escape}');
      await expect.element(popover).not.toBeInTheDocument();
      await button('Rename').click();
      await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
      page.getByRole('textbox', { name: 'Name' }).element().blur();
      await userEvent.keyboard('{Escape}');
      await expect.element(popover).not.toBeInTheDocument();
      expect(reached).toEqual([]);
      await userEvent.keyboard('{Escape}');
      expect(reached).toEqual([true]);
    });
  });
});

describe('a tooltip', () => {
  function Panel() {
    const [isBlocked, setBlocked] = useState(false);
    return (
      <TooltipProvider>
        <main style={{ padding: 80 }}>
          <Tooltip text="Saved parameters">
            <button type="button">Presets</button>
          </Tooltip>
          <IconButton
            label="Stop"
            icon="x"
            shortcut="Escape"
            onClick={() => document.getElementById('text')?.focus()}
          />
          <Tooltip text="The text to send">
            <input id="text" aria-label="Text" />
          </Tooltip>
          <Button
            disabledReason={isBlocked ? 'Nothing to run.' : null}
            onClick={() => setBlocked(true)}
          >
            Run
          </Button>
        </main>
      </TooltipProvider>
    );
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const getShown = () =>
    document.querySelector('[data-base-ui-portal] [aria-hidden]')?.textContent ?? null;

  beforeEach(async () => {
    // Move the pointer away from elements of the previous test.
    await userEvent.hover(document.documentElement, { position: { x: 1, y: 1 } });
  });

  it('opens on hover and focus, closes on click or Escape, and stays closed while focus moves', async () => {
    const keys: boolean[] = [];
    const onKey = (event: KeyboardEvent) =>
      event.key === 'Escape' && keys.push(event.defaultPrevented);
    window.addEventListener('keydown', onKey);
    onTestFinished(() => window.removeEventListener('keydown', onKey));
    await render(<Panel />);
    await userEvent.hover(button('Presets'));
    await expect.poll(getShown).toBe('Saved parameters');
    // Escape also reaches the shortcuts of the page.
    await userEvent.keyboard('{Escape}');
    await expect.poll(getShown).toBeNull();
    expect(keys).toEqual([false]);
    await userEvent.hover(button('Run'));
    await userEvent.hover(button('Presets'));
    await expect.poll(getShown).toBe('Saved parameters');
    await userEvent.click(button('Presets'));
    await expect.poll(getShown).toBeNull();
    await userEvent.keyboard('{Tab}');
    await expect.element(button('Stop')).toHaveFocus();
    await expect.poll(getShown).toBe('StopEsc');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('textbox')).toHaveFocus();
    await expect.poll(getShown).toBeNull();
  });

  it('keeps the element of a button that becomes blocked', async () => {
    await render(<Panel />);
    const run = button('Run');
    const element = run.element();
    await run.click();
    await expect.element(run).toHaveAttribute('aria-disabled', 'true');
    expect(run.element()).toBe(element);
    await expect.element(run).toHaveFocus();
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

describe('an Undo bar', () => {
  const undone = vi.spyOn(api.deletions, 'undo');
  const idsUndone = () => undone.mock.calls.map(([{ ids }]) => ids);

  afterEach(() => {
    for (const { id } of useUndo.getState().offers) withdrawOffer(id);
    vi.useRealTimers();
    undone.mockClear();
  });

  function remove(title: string): void {
    offerUndo({
      message: `“${title}” deleted`,
      several: { words: '# conversations deleted' },
      place: 'conversations',
      undo: title,
    });
  }

  async function open() {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const screen = await render(
      <>
        <UndoBars place="conversations" />
        <button type="button">Elsewhere</button>
      </>,
    );
    return { screen, undo: screen.getByRole('button', { name: 'Undo' }) };
  }

  it('stays while focused or hovered, and for three more seconds', async () => {
    const { screen, undo } = await open();
    remove('Rivers');
    // Vitest advances fake time as the pointer moves, so no step comes near the offer's limit of 55
    // seconds.
    await undo.hover();
    vi.advanceTimersByTime(11_000);
    await userEvent.tab();
    await expect.element(undo).toHaveFocus();
    await screen.getByRole('button', { name: 'Elsewhere' }).hover();
    vi.advanceTimersByTime(11_000);
    remove('Lakes');
    await expect.element(screen.getByText('2 conversations deleted')).toBeVisible();
    await expect.element(undo).toHaveFocus();
    vi.advanceTimersByTime(11_000);
    await expect.element(undo).toBeVisible();
    await userEvent.tab();
    await userEvent.tab();
    await expect.element(screen.getByRole('button', { name: 'Elsewhere' })).toHaveFocus();
    vi.advanceTimersByTime(2000);
    await expect.element(undo).toBeVisible();
    vi.advanceTimersByTime(1100);
    await expect.element(undo).not.toBeInTheDocument();
  });

  it('explains why Undo failed, and retries at the same button', async () => {
    const { screen, undo } = await open();
    remove('Rivers');
    undone.mockRejectedValueOnce(new LinkLostError());
    await undo.click();
    const again = screen.getByRole('button', { name: 'Try again' });
    await expect.element(again).toHaveFocus();
    await expect
      .element(screen.getByText('Undo failed. Lost connection to Gatehouse.'))
      .toBeVisible();
    await again.click();
    await expect.element(again).not.toBeInTheDocument();
    expect(idsUndone()).toEqual([['Rivers'], ['Rivers']]);
  });
});
