import { useEffect, useRef, useState } from 'react';
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

/** Shows its restored row only `frames` frames after it is wanted, as on a busy machine. */
function LateList({ frames }: { frames: number }) {
  const [isWanted, setWanted] = useState(false);
  const [isShown, setShown] = useState(false);
  const roving = useRovingList({
    name: 'late',
    keys: isWanted ? ['late'] : [],
    currentKey: null,
    getItemText: () => 'Late',
  });
  useEffect(() => {
    if (!isWanted) return undefined;
    let left = frames;
    const count = () => {
      left -= 1;
      if (left === 0) setShown(true);
      else frame = requestAnimationFrame(count);
    };
    let frame = requestAnimationFrame(count);
    return () => cancelAnimationFrame(frame);
  }, [isWanted, frames]);
  return (
    <>
      {!isWanted && (
        <button
          type="button"
          onClick={() => {
            focusRow('late', 'late');
            setWanted(true);
          }}
        >
          Restore
        </button>
      )}
      <ul {...roving.listProps}>
        {isShown && (
          <li data-row="late">
            <button type="button">Late</button>
          </li>
        )}
      </ul>
    </>
  );
}

it('focuses a restored row that renders late', async () => {
  const page = await render(<LateList frames={30} />);
  await userEvent.click(page.getByRole('button', { name: 'Restore' }));
  await expect.element(page.getByRole('button', { name: 'Late' })).toHaveFocus();
});
