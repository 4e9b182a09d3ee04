import { useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Menu } from '../../renderer/ui/menu.tsx';
import { focusRow, useRovingList } from '../../renderer/ui/roving-list.ts';
import { typeWord } from './type-word.ts';

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

/** Renders a virtual list of a thousand rows that selects the focused row. */
function LongList() {
  const list = useRef<VListHandle>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const keys = Array.from({ length: 1000 }, (_, index) => `row-${index}`);
  const roving = useRovingList({
    keys,
    currentKey: chosen,
    getItemText: (index) => `Number ${index}`,
    scrollTo: (index) => list.current?.scrollToIndex(index, { align: 'nearest' }),
    onMove: (index) => setChosen(keys[index] ?? null),
  });
  return (
    <VList
      ref={list}
      data={keys}
      keepMounted={[roving.stop]}
      style={{ height: 200 }}
      role="listbox"
      aria-label="Numbers"
      {...roving.listProps}
    >
      {(key, index) => (
        <div
          key={key}
          data-row={key}
          role="option"
          aria-selected={key === chosen}
          tabIndex={roving.getTabIndex(index)}
          style={{ height: 24, visibility: 'visible' }}
        >
          Number {index}
        </div>
      )}
    </VList>
  );
}

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

  it('focuses the selected row on Tab', async () => {
    const screen = await render(<FruitList current="Banana" />);
    screen.getByRole('button', { name: 'Before' }).element().focus();
    await userEvent.tab();
    expect(focused()).toBe('Banana');
  });

  it('jumps to the end of a virtual list, and scrolls to the focused row', async () => {
    const screen = await render(<LongList />);
    screen.getByRole('option', { name: 'Number 0', exact: true }).element().focus();
    await userEvent.keyboard('{End}');
    const last = screen.getByRole('option', { name: 'Number 999' });
    await expect.element(last).toHaveFocus();
    await expect.element(last).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(screen.getByRole('option', { name: 'Number 998' })).toHaveFocus();
    await typeWord('number 50');
    await expect
      .element(screen.getByRole('option', { name: 'Number 50', exact: true }))
      .toHaveFocus();
  });
});
