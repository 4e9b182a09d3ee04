import { useState } from 'react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../../renderer/ui/button.tsx';
import { Dialog } from '../../renderer/ui/dialog.tsx';
import { IconButton } from '../../renderer/ui/icon-button.tsx';
import { Menu } from '../../renderer/ui/menu.tsx';
import { Popover } from '../../renderer/ui/popover.tsx';
import { Tooltip, TooltipPopup } from '../../renderer/ui/tooltip.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

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
      <>
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
        <TooltipPopup />
      </>
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
