import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useShortcutKeys } from '../../renderer/app/shell-commands.ts';

import { useLayout } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { PanelFrame, type PanelFrameProps } from '../../renderer/run/frame/panel-frame.tsx';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import './shell-fake-main.ts';

function Frame(props: Partial<PanelFrameProps>) {
  useShortcutKeys();
  return (
    <PanelFrame title="Chat" sidebar={<p>Temperature</p>} {...props}>
      <textarea aria-label="Message" />
    </PanelFrame>
  );
}

beforeEach(async () => {
  await page.viewport(1360, 860);
  useLayout.setState({ sidebarOpen: true });
});

it('shows one Run button, which becomes Stop in place', async () => {
  const screen = await render(<Frame onRun={vi.fn()} />);
  const run = screen.getByRole('button', { name: 'Run', exact: true }).element();
  const place = run.getBoundingClientRect();
  await screen.rerender(<Frame onRun={vi.fn()} onStop={vi.fn()} running />);
  const stop = screen.getByRole('button', { name: 'Stop', exact: true }).element();
  expect(stop).toBe(run);
  expect(stop.getBoundingClientRect().left).toBe(place.left);
  expect(stop.getBoundingClientRect().width).toBe(place.width);
  expect(screen.getByRole('button', { name: 'Run', exact: true }).elements()).toHaveLength(0);
});

it('runs on Mod+Enter from a text box, and stops on Escape', async () => {
  const onRun = vi.fn();
  const onStop = vi.fn();
  const screen = await render(<Frame onRun={onRun} onStop={onStop} />);
  await screen.getByRole('textbox', { name: 'Message' }).click();
  await userEvent.keyboard('{Escape}{Control>}{Enter}{/Control}');
  expect(onRun).toHaveBeenCalledOnce();
  expect(onStop).not.toHaveBeenCalled();
  await screen.rerender(<Frame onRun={onRun} onStop={onStop} running />);
  await userEvent.keyboard('{Control>}{Enter}{/Control}{Escape}');
  expect(onRun).toHaveBeenCalledOnce();
  expect(onStop).toHaveBeenCalledOnce();
});

it('doesn’t run while blocked, and shows the reason', async () => {
  const onRun = vi.fn();
  const screen = await render(
    <Frame onRun={onRun} runBlocked={{ reason: 'Enter a message first.', field: null }} />,
  );
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  await expect.element(run).toHaveAttribute('aria-description', 'Enter a message first.');
  run.element().focus();
  await userEvent.keyboard('{Enter}{Control>}{Enter}{/Control}');
  expect(onRun).not.toHaveBeenCalled();
});

it('explains why it doesn’t run during a run, and keeps focus', async () => {
  const onRun = vi.fn();
  const screen = await render(<Frame onRun={onRun} onStop={vi.fn()} running />);
  const message = screen.getByRole('textbox', { name: 'Message' });
  await message.click();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const why = 'Wait for this run to finish, or stop it.';
  await expect.element(screen.getByRole('alert')).toMatchTextContent(why);
  await expect.element(message).toHaveFocus();
  expect(onRun).not.toHaveBeenCalled();
  await screen.rerender(<Frame onRun={onRun} onStop={vi.fn()} />);
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
});

it('hides Stop while the connection is lost, and explains why it doesn’t run', async () => {
  onTestFinished(() => useLinkState.setState('open', true));
  const onRun = vi.fn();
  const onStop = vi.fn();
  const screen = await render(<Frame onRun={onRun} onStop={onStop} running />);
  await expect.element(screen.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  useLinkState.setState('lost', true);
  const run = screen.getByRole('button', { name: 'Run', exact: true });
  await expect.element(run).toHaveAttribute('aria-disabled', 'true');
  await screen.getByRole('textbox', { name: 'Message' }).click();
  await userEvent.keyboard('{Control>}{Enter}{/Control}{Escape}');
  await expect
    .element(screen.getByRole('alert'))
    .toMatchTextContent(/^Lost connection to Gatehouse/);
  expect(onRun).not.toHaveBeenCalled();
  expect(onStop).not.toHaveBeenCalled();
  useLinkState.setState('open', true);
  await expect.element(screen.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
});

it('clears the previous panel’s rejection', async () => {
  const blocked = { reason: 'Choose a model first.', field: null };
  const screen = await render(<Frame key="chat" onRun={vi.fn()} runBlocked={blocked} />);
  await screen.getByRole('textbox', { name: 'Message' }).click();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(screen.getByRole('alert')).toMatchTextContent(blocked.reason);
  await screen.rerender(<Frame key="image" onRun={vi.fn()} runBlocked={blocked} />);
  await expect.element(screen.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  await screen.getByRole('textbox', { name: 'Message' }).click();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(screen.getByRole('alert')).toMatchTextContent(blocked.reason);
});

it('shows parameters beside a wide panel, and in a drawer over a narrow one', async () => {
  const screen = await render(<Frame />);
  const parameters = screen.getByRole('complementary', { name: 'Parameters' });
  await expect.element(parameters).toBeVisible();
  expect(parameters.element().getBoundingClientRect().width).toBe(300);

  await page.viewport(960, 600);
  await vi.waitFor(() => expect(parameters.elements()).toHaveLength(0));
  await screen.getByRole('button', { name: 'Parameters' }).click();
  await expect.element(parameters).toBeVisible();
  const message = screen.getByRole('textbox', { name: 'Message' }).element();
  expect(message.parentElement?.getBoundingClientRect().width).toBeGreaterThan(900);
});

it('closes a narrow panel’s drawer on Escape or a click beside it', async () => {
  const onStop = vi.fn();
  await page.viewport(960, 600);
  const screen = await render(<Frame running onRun={vi.fn()} onStop={onStop} />);
  const button = screen.getByRole('button', { name: 'Parameters' });
  const parameters = screen.getByRole('complementary', { name: 'Parameters' });

  await button.click();
  await expect.element(parameters).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(parameters.elements()).toHaveLength(0));
  expect(onStop).not.toHaveBeenCalled();
  await expect.element(button).toHaveFocus();

  await button.click();
  await expect.element(parameters).toBeVisible();
  const { top } = parameters.element().getBoundingClientRect();
  await userEvent.click(document.body, { position: { x: 200, y: top + 4 } });
  await vi.waitFor(() => expect(parameters.elements()).toHaveLength(0));
  await expect.element(button).toHaveFocus();
});

it('ignores a held key that was first pressed elsewhere', async () => {
  const onRun = vi.fn();
  const screen = await render(<Frame onRun={onRun} />);
  const run = screen.getByRole('button', { name: 'Run', exact: true }).element();
  const message = screen.getByRole('textbox', { name: 'Message' }).element();
  // The key goes down in the text box, and its repeats go to the focused button.
  message.addEventListener('keydown', () => setTimeout(() => run.focus()));
  message.focus();
  await userEvent.keyboard('{Enter>4/}');
  message.focus();
  await userEvent.keyboard('{ >4/}');
  expect(document.activeElement).toBe(run);
  expect(onRun).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(onRun).toHaveBeenCalledOnce();
  await userEvent.keyboard(' ');
  expect(onRun).toHaveBeenCalledTimes(2);
});
