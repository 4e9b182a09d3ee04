import { useState } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Dialog } from '../../renderer/ui/dialog.tsx';
import { Menu } from '../../renderer/ui/menu.tsx';
import { Popover } from '../../renderer/ui/popover.tsx';
import { typeWord } from './type-word.ts';

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

async function openByKey() {
  chosen.mockReset();
  await render(<Fruits />);
  button('Fruits').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(item('Apple')).toHaveFocus();
}

async function closeByKey() {
  await userEvent.keyboard('{Escape}');
  await expect.element(button('Fruits')).toHaveFocus();
}

describe('a menu', () => {
  it('goes round its items with arrows, and to the ends with Home and End', async () => {
    await openByKey();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(item('Blueberry')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    await expect.element(item('Banana')).toHaveFocus();
    await userEvent.keyboard('{End}');
    await expect.element(item('Blueberry')).toHaveFocus();
    await userEvent.keyboard('{Home}');
    await expect.element(item('Apple')).toHaveFocus();
  });

  it('finds an item by what is typed', async () => {
    await openByKey();
    await userEvent.keyboard('b');
    await expect.element(item('Banana')).toHaveFocus();
    await userEvent.keyboard('b');
    await expect.element(item('Blueberry')).toHaveFocus();
    await closeByKey();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(item('Apple')).toHaveFocus();
    await typeWord('bl');
    await expect.element(item('Blueberry')).toHaveFocus();
  });

  it('opens at its last item with the arrow up, and chooses with Enter or Space', async () => {
    await openByKey();
    await closeByKey();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(item('Blueberry')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Fruits')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(item('Apple')).toHaveFocus();
    await userEvent.keyboard(' ');
    expect(chosen.mock.calls).toEqual([['Blueberry'], ['Apple']]);
    await expect.element(button('Fruits')).toHaveFocus();
  });

  it('shows what is disabled, and does nothing with it', async () => {
    await openByKey();
    await userEvent.keyboard('c');
    await expect.element(item('Cherry')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(item('Cherry')).toHaveFocus();
    expect(chosen).not.toHaveBeenCalled();
  });

  it('closes with Escape, and gives the focus back', async () => {
    await openByKey();
    await expect.element(button('Fruits')).toHaveAttribute('aria-expanded', 'true');
    await userEvent.keyboard('{Escape}');
    await expect.element(menu).not.toBeInTheDocument();
    await expect.element(button('Fruits')).toHaveFocus();
    await expect.element(button('Fruits')).toHaveAttribute('aria-expanded', 'false');
  });

  it('is left by Tab to what follows its button, by Shift+Tab to the button', async () => {
    await openByKey();
    await userEvent.keyboard('{Tab}');
    await expect.element(menu).not.toBeInTheDocument();
    await expect.element(button('After')).toHaveFocus();
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Enter}');
    await expect.element(item('Apple')).toHaveFocus();
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
    await expect.element(menu).not.toBeInTheDocument();
    await expect.element(button('Fruits')).toHaveFocus();
  });

  it('opens and closes by a press of its button, and closes by a press elsewhere', async () => {
    await render(<Fruits />);
    await button('Fruits').click();
    await expect.element(menu).toHaveFocus();
    await button('Fruits').click();
    await expect.element(menu).not.toBeInTheDocument();
    await button('Fruits').click();
    await expect.element(menu).toHaveFocus();
    await button('Before').click();
    await expect.element(menu).not.toBeInTheDocument();
    await expect.element(button('Before')).toHaveFocus();
  });

  it('chooses the item that one long press is released on, and is closed by one released elsewhere', async () => {
    chosen.mockReset();
    await render(<Fruits />);
    await button('Fruits').click();
    await button('Fruits').click();
    await expect.element(menu).not.toBeInTheDocument();
    const press = () => {
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      button('Fruits')
        .element()
        .dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true, detail: 1 }));
      vi.advanceTimersByTime(1000);
      vi.useRealTimers();
    };
    const release = (element: Element) =>
      element.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
    press();
    await expect.element(menu).toBeVisible();
    release(item('Banana').element());
    await expect.element(menu).not.toBeInTheDocument();
    expect(chosen.mock.calls).toEqual([['Banana']]);
    press();
    await expect.element(menu).toBeVisible();
    release(document.body);
    await expect.element(menu).not.toBeInTheDocument();
  });

  it('keeps inside the window', async () => {
    await render(
      <div style={{ position: 'fixed', right: 0, bottom: 0 }}>
        <Fruits />
      </div>,
    );
    await button('Fruits').click();
    // Once it has its place.
    await expect.element(menu).toHaveFocus();
    const box = menu.element().getBoundingClientRect();
    expect(box.bottom).toBeLessThanOrEqual(button('Fruits').element().getBoundingClientRect().top);
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(window.innerWidth);
  });

  it('works in a dialog', async () => {
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
          <input aria-label="Name" value={name} onChange={(event) => setName(event.target.value)} />
        </Popover>
        <button type="button">After</button>
      </>
    );
  }
  const popover = page.getByRole('dialog', { name: 'New name' });

  it('begins at its first control, and gives the focus back with Escape', async () => {
    await render(<Named />);
    await button('Rename').click();
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(popover).not.toBeInTheDocument();
    await expect.element(button('Rename')).toHaveFocus();
  });

  it('closes where Tab leaves it, to what follows its button', async () => {
    await render(<Named />);
    await button('Rename').click();
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    await expect.element(button('After')).toHaveFocus();
    await expect.element(popover).not.toBeInTheDocument();
  });

  it('is closed by Escape wherever the focus is, before anything that Escape stops', async () => {
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

  it('closes by a press elsewhere and by its button, not by one in it', async () => {
    await render(<Named />);
    await button('Rename').click();
    await page.getByRole('textbox', { name: 'Name' }).click();
    await expect.element(popover).toBeVisible();
    await button('Rename').click();
    await expect.element(popover).not.toBeInTheDocument();
    await button('Rename').click();
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await button('After').click();
    await expect.element(popover).not.toBeInTheDocument();
  });
});
