import { useState } from 'react';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../../renderer/ui/button.tsx';
import { IconButton } from '../../renderer/ui/icon-button.tsx';
import { Tooltip, TooltipProvider } from '../../renderer/ui/tooltip.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

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
