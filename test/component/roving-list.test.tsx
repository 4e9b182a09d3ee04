import { useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Menu } from '../../renderer/ui/menu.tsx';
import { focusRow, useRovingList } from '../../renderer/ui/roving-list.ts';
import { typeWord } from './type-word.ts';

const fruits = ['Apple', 'Apricot', 'Banana', 'Blood orange', 'Cherry', 'Red apple'];

interface FruitListProps {
  current?: string | null;
  onChosen?: (fruit: string) => void;
}

/** Rows with a button and a menu, as in the list of conversations. */
function FruitList({ current = null, onChosen }: FruitListProps) {
  const [names, setNames] = useState(fruits);
  const roving = useRovingList({
    keys: names,
    currentKey: current,
    getItemText: (index) => names[index] ?? '',
  });
  return (
    <>
      <button type="button">Before</button>
      <ul aria-label="Fruits" {...roving.listProps}>
        {names.map((name, index) => (
          <li key={name} data-row={name}>
            <button
              type="button"
              tabIndex={roving.getTabIndex(index)}
              onClick={() => onChosen?.(name)}
            >
              <span aria-hidden="true">
                <video tabIndex={-1} muted />
              </span>
              {name}
            </button>
            <Menu
              label={`Actions for ${name}`}
              tabIndex={-1}
              items={[
                {
                  id: 'remove',
                  label: 'Remove',
                  onSelect: () => setNames((all) => all.filter((other) => other !== name)),
                },
              ]}
            />
          </li>
        ))}
      </ul>
      <button type="button">After</button>
    </>
  );
}

/** Rows that the main process adds later. */
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

describe('a row that is to be focused once it is listed', () => {
  it('focuses a row once it is listed in its own list', async () => {
    const screen = await render(<LateList keys={['one', 'two']} />);
    focusRow('other', 'one');
    focusRow('late', 'three');
    await screen.rerender(<LateList keys={['one', 'two', 'three']} />);
    await expect.element(screen.getByRole('button', { name: 'three' })).toHaveFocus();
  });

  it('leaves the focus alone if the user has moved on', async () => {
    const screen = await render(<LateList keys={['one', 'two']} />);
    focusRow('late', 'three');
    await screen.getByRole('button', { name: 'Undo' }).click();
    await screen.rerender(<LateList keys={['one', 'two', 'three']} />);
    await expect.element(screen.getByRole('button', { name: 'three' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Undo' })).toHaveFocus();
  });
});

/** A virtual list of a thousand rows, which selects the focused row. */
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

const focused = () => document.activeElement?.getAttribute('aria-label') ?? focusedText();
const focusedText = () => document.activeElement?.textContent;

async function press(keys: string): Promise<void> {
  await userEvent.keyboard(keys);
}

describe('a roving list', () => {
  it('is one Tab stop, which is entered at the chosen row', async () => {
    const screen = await render(<FruitList current="Banana" />);
    screen.getByRole('button', { name: 'Before' }).element().focus();
    await userEvent.tab();
    expect(focused()).toBe('Banana');
    await userEvent.tab();
    expect(focused()).toBe('After');
    await userEvent.tab({ shift: true });
    expect(focused()).toBe('Banana');
  });

  it('moves with arrows, Home and End, and stays at its ends', async () => {
    const screen = await render(<FruitList />);
    screen.getByRole('button', { name: 'Apple', exact: true }).element().focus();
    for (const [key, fruit] of [
      ['ArrowDown', 'Apricot'],
      ['End', 'Red apple'],
      ['ArrowDown', 'Red apple'],
      ['Home', 'Apple'],
      ['ArrowUp', 'Apple'],
      ['PageDown', 'Red apple'],
    ]) {
      await press(`{${key}}`);
      expect(focused()).toBe(fruit);
    }
  });

  it('finds a row by what is typed: its beginning first, then any of its words', async () => {
    const screen = await render(<FruitList />);
    screen.getByRole('button', { name: 'Apple', exact: true }).element().focus();
    await press('b');
    expect(focused()).toBe('Banana');
    await press('b');
    expect(focused()).toBe('Blood orange');
    await press('{Home}');
    await typeWord('blood o');
    expect(focused()).toBe('Blood orange');
    await press('{Home}');
    await typeWord('ora');
    expect(focused()).toBe('Blood orange');
  });

  it('reaches the controls of a row with Right and Left, and its menu by Shift+F10', async () => {
    const screen = await render(<FruitList />);
    screen.getByRole('button', { name: 'Apricot', exact: true }).element().focus();
    await press('{ArrowRight}');
    expect(focused()).toBe('Actions for Apricot');
    await press('{ArrowLeft}');
    expect(focused()).toBe('Apricot');
    await press('{Shift>}{F10}{/Shift}');
    await expect.element(screen.getByRole('menuitem', { name: 'Remove' })).toBeVisible();
    await press('{Escape}');
    await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
    expect(focused()).toBe('Actions for Apricot');
  });

  it('reaches the end of a virtual list and shows what it reaches', async () => {
    const screen = await render(<LongList />);
    screen.getByRole('option', { name: 'Number 0', exact: true }).element().focus();
    await press('{End}');
    const last = screen.getByRole('option', { name: 'Number 999' });
    await expect.element(last).toHaveFocus();
    await expect.element(last).toHaveAttribute('aria-selected', 'true');
    await press('{ArrowUp}');
    await expect.element(screen.getByRole('option', { name: 'Number 998' })).toHaveFocus();
    await typeWord('number 50');
    await expect
      .element(screen.getByRole('option', { name: 'Number 50', exact: true }))
      .toHaveFocus();
  });
});
