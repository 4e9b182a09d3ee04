import { useState } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../../renderer/ui/button.tsx';
import { guardRepeatedPresses } from '../../renderer/ui/press-guard.ts';

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
