import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { App } from '../../renderer/app/app.tsx';
import { useShortcutKeys } from '../../renderer/app/shell-commands.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { getPanelLabel, panelNames } from '../../renderer/lib/panels.ts';
import { listShortcutKeys } from '../../renderer/lib/shortcut.ts';
import { useLiveRuns } from '../../renderer/run/live/live-runs.ts';
import { PanelFrame, type PanelFrameProps } from '../../renderer/run/panel/panel-frame.tsx';
import type { RunView } from '../../shared/run-view.ts';
import { runView } from '../fixtures/run-view.ts';
import { demoModels } from './params-fixtures.tsx';
import { main } from './shell-fake-main.ts';
import { resetShell } from './shell-fixtures.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';
import './shell-fake-main.ts';

describe('the app', () => {
  beforeEach(async () => {
    await resetShell();
    location.hash = '#/image';
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name });

  async function openApp() {
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    const prompt = screen.getByRole('textbox', { name: 'Prompt', exact: true });
    return { screen, panel: screen.getByRole('main'), prompt };
  }

  it('skips to the panel, and focuses it after a shortcut or a closed dialog', async () => {
    const { screen, panel, prompt } = await openApp();
    const skip = screen.getByRole('navigation', { name: 'Skip links' });
    await expect.element(prompt).toBeVisible();
    screen.getByRole('link', { name: 'Chat', exact: true }).element().focus();
    await userEvent.tab({ shift: true });
    const toPanel = skip.getByRole('button', { name: 'Skip to panel' });
    await expect.element(toPanel).toHaveFocus();
    await userEvent.tab();
    await expect.element(skip.getByRole('button', { name: 'Skip to composer' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(prompt).toHaveFocus();
    toPanel.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(panel).toHaveFocus();

    await userEvent.keyboard('{Control>}k{/Control}');
    const palette = screen.getByRole('dialog', { name: 'Command palette' });
    await expect.poll(() => palette.element().contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('{Escape}');
    await expect.element(palette).not.toBeInTheDocument();
    await expect.element(panel).toHaveFocus();

    // The shortcut removes the focused field.
    prompt.element().focus();
    await userEvent.keyboard('{Control>}5{/Control}');
    await expect.element(heading('Rerank')).toBeVisible();
    await expect.element(panel).toHaveFocus();
  });

  it('lists every shortcut on ?, unless the user is typing, and shows them in tooltips', async () => {
    main.models = demoModels;
    main.settings = { ...main.settings, enterSends: true };
    const { screen, panel, prompt } = await openApp();
    await prompt.fill('Who');
    await userEvent.keyboard('?');
    await expect.element(prompt).toHaveValue('Who?');
    const run = screen.getByRole('button', { name: 'Run', exact: true });
    await expect.element(run).toHaveAttribute('data-shortcut', 'Mod+Enter');
    const shortcuts = [...document.querySelectorAll<HTMLElement>('[data-shortcut]')].map(
      ({ dataset }) => dataset.shortcut ?? '',
    );
    // At least the panels, Run, the parameters and the inspector have shortcuts.
    expect(shortcuts.length).toBeGreaterThanOrEqual(panelNames.length + 3);

    panel.element().focus();
    await userEvent.keyboard('{Shift>}?{/Shift}');
    const sheet = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect.element(sheet.getByText('Send message', { exact: true })).toBeVisible();
    const listed = [...sheet.element().querySelectorAll('li')].map(
      ({ textContent }) => textContent,
    );
    const titles = [
      'Actual size',
      'Run',
      'Open command palette',
      'Rename conversation, file or video',
    ];
    for (const title of [...titles, ...panelNames.map(getPanelLabel)]) {
      expect(
        listed.some((line) => line.startsWith(title)),
        title,
      ).toBe(true);
    }
    for (const shortcut of shortcuts) {
      const keys = listShortcutKeys(shortcut).join('');
      expect(
        listed.some((line) => line.endsWith(keys)),
        shortcut,
      ).toBe(true);
    }
    await userEvent.keyboard('{Escape}');
    await expect.element(sheet).not.toBeInTheDocument();
    await expect.element(panel).toHaveFocus();
    await screen.getByRole('button', { name: 'Inspector' }).hover();
    await expect
      .poll(() => document.querySelector('[data-base-ui-portal] [aria-hidden]')?.textContent)
      .toBe('InspectorCtrlJ');
  });

  it('marks the panels with runs in progress; those of a check count for Check', async () => {
    main.runs = [runView('speech', { status: 'running' })];
    main.checkRuns = 3;
    const { screen } = await openApp();
    const link = (name: string) => screen.getByRole('link', { name, exact: true });
    await expect.element(link('Check')).toHaveAccessibleDescription('3 running');
    await expect.element(link('Speech')).toHaveAccessibleDescription('1 running');
    await expect.element(link('Chat')).not.toHaveAccessibleDescription();
  });

  it('announces when a run starts and how it ends', async () => {
    const screen = await render(<App />);
    await expect.element(screen.getByRole('region', { name: 'Notifications' })).toBeInTheDocument();
    const show = (view: RunView) => useLiveRuns.setState({ views: { [view.id]: view } });
    const figures = { model: 'm', usage: null, finishReasons: [], noResult: null };
    show(runView('chat', { status: 'running' }));
    await expect.element(screen.getByText('Run started.')).toBeInTheDocument();
    show(runView('chat', { status: 'succeeded', figures }));
    await expect.element(screen.getByText('Run finished.')).toBeInTheDocument();
    show(runView('chat', { status: 'running' }));
    const noResult = 'The response is empty.';
    show(runView('chat', { status: 'succeeded', figures: { ...figures, noResult } }));
    await expect
      .element(screen.getByText('Run finished with no result. The response is empty.'))
      .toBeInTheDocument();
    useLiveRuns.setState({ views: {} });
  });

  it('applies the dark theme at once, and saves it for the next start', async () => {
    const screen = await render(<App />);
    await screen.getByRole('link', { name: 'Settings', exact: true }).click();
    await screen.getByRole('link', { name: 'General' }).click();
    await screen.getByRole('radio', { name: 'Dark' }).click();
    await vi.waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
    expect(localStorage.getItem('gatehouse:appearance')).toContain('"theme":"dark"');
    expect(main.settings.theme).toBe('dark');
  });

  it('asks for a new URL if the connection stays lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const screen = await render(<App />);
    await expect.element(heading('Image')).toBeVisible();
    const field = screen.getByRole('textbox', { name: 'New URL' });
    useLinkState.setState('lost', true);
    await expect.element(screen.getByText(/Your text is kept\./)).toBeVisible();
    vi.advanceTimersByTime(4000);
    await expect.element(field).not.toBeInTheDocument();
    vi.advanceTimersByTime(2000);
    await expect.element(field).toBeVisible();
    await field.fill('http://127.0.0.1:4100/');
    await screen.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.element(screen.getByText(/Paste the whole URL/)).toBeVisible();
    useLinkState.setState('open', true);
    await expect.element(field).not.toBeInTheDocument();
  });
});

describe('a panel’s frame', () => {
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
});
