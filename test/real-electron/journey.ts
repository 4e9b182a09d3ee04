/** Uses Gatehouse in a real Electron as a user does, one step after the other. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { ALREADY_OPEN_LINE, READY_LINE } from '../../electron/launch/status-lines.ts';
import {
  answers,
  chooseModel,
  sendButton,
  sendMessage,
  stopButton,
} from '../e2e/fixtures/chat-page.ts';
import { openPanel } from '../e2e/fixtures/settings-page.ts';
import type { Program } from './prepare-program.ts';
import { openScreen, type Screen } from './screen.ts';
import { listOpened, type Session, startSession } from './session.ts';

export interface JourneyOptions {
  program: Program;
  /** An empty folder for the data, the downloads and what the system was asked to open. */
  workFolder: string;
  /** Where pictures of the screen go; null for none. */
  pictures: string | null;
  log: (line: string) => void;
}

const WAIT = { timeout: 30_000 };
const TITLE = /· Gatehouse$/;
const SAVE_TITLE = /^Save File$/;

/** Throws at the first step that fails. */
export async function runJourney(options: JourneyOptions): Promise<void> {
  const { program, workFolder, pictures, log } = options;
  const screen = openScreen(pictures);
  const sessions: Session[] = [];
  let page!: Page;
  let session!: Session;

  function start(environment: Record<string, string> = {}): Session {
    const started = startSession({ program, workFolder, environment });
    sessions.push(started);
    return started;
  }

  async function step(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      log(`ok: ${name}`);
    } catch (cause) {
      screen?.takePicture('failure');
      log(`FAILED: ${name}`);
      throw cause;
    }
  }

  /** Runs a step that needs real key presses, from a user or xdotool. */
  async function stepOnScreen(name: string, work: (on: Screen) => Promise<void>): Promise<void> {
    if (screen === null) log(`not run: ${name} (no xdotool or no X11 screen)`);
    else await step(name, () => work(screen));
  }

  try {
    await step('opens a window whose page connects', async () => {
      // The story must still be streaming once the quit question is answered, even on a busy
      // machine.
      session = start({ GATEHOUSE_DEMO_SPEED: '0.2' });
      await session.waitForLine(READY_LINE);
      page = await session.openPage();
      await expect(page.getByRole('combobox', { name: 'Connection' })).toBeEnabled(WAIT);
    });
    await stepOnScreen('paints the window', async (on) => {
      const bounds = on.getBounds(await on.findWindow(TITLE));
      expect(bounds.width).toBeGreaterThanOrEqual(960);
      await pause(1000);
      on.takePicture('1-window');
    });
    await step('answers in Chat', async () => {
      await chooseModel(page, 'demo-echo');
      await sendMessage(
        page,
        'See [a page](https://example.com/page) or [write](mailto:a@example.com).',
      );
      await expect(answers(page).getByRole('link', { name: 'a page' })).toBeVisible(WAIT);
      await expect(sendButton(page)).toBeVisible(WAIT);
      screen?.takePicture('2-chat');
    });
    await stepOnScreen('opens links outside, in Chat and in History', async () => {
      await openBothLinks(page, workFolder, 1);
      await page.getByRole('link', { name: 'History', exact: true }).click();
      await page.getByText('See [a page]').first().click();
      await openBothLinks(page, workFolder, 2);
      await getLink(page, 'a page').click({ button: 'middle' });
      await expectOpened(workFolder, 'https://example.com/page', 3);
      screen?.takePicture('3-history');
    });
    await stepOnScreen('doesn’t save a backup whose Save dialog is canceled', async (on) => {
      await openPanel(page, 'Settings');
      await page.getByRole('link', { name: 'Data', exact: true }).click();
      await page.getByRole('button', { name: 'Back up' }).click();
      await on.findWindow(SAVE_TITLE);
      await pause(2000);
      on.takePicture('4-save-dialog');
      await expect(page.getByText(/^Saved as/)).toHaveCount(0);
      await on.press('Escape');
      await on.waitUntilGone(SAVE_TITLE);
      await expect(page.getByRole('button', { name: 'Back up' })).toBeVisible(WAIT);
      await expect(page.getByText(/^Saved as/)).toHaveCount(0);
      expect(listDownloads(workFolder)).toEqual([]);
      on.takePicture('5-canceled');
    });
    await stepOnScreen('saves a backup', async (on) => {
      await page.getByRole('button', { name: 'Back up' }).click();
      await on.findWindow(SAVE_TITLE);
      await on.press('Return');
      await expect(page.getByText(/^Saved as/)).toBeVisible(WAIT);
      const [file] = listDownloads(workFolder);
      expect(file?.name).toMatch(/^gatehouse-[\d-]+\.tar$/);
      expect(file?.sizeBytes).toBeGreaterThan(10_000);
      on.takePicture('6-saved');
    });
    await step('shows its window to a second start', async () => {
      const second = start();
      expect(await second.ended).toBe(0);
      expect(second.output()).toContain(ALREADY_OPEN_LINE);
    });
    await step('reloads a page whose process ends', async () => {
      await session.killPage();
      await pause(2000);
      page = await session.openPage();
      await expect(
        page
          .getByRole('combobox', { name: 'Connection' })
          .or(page.getByRole('heading', { name: 'Settings', level: 1 }))
          .first(),
      ).toBeVisible(WAIT);
      screen?.takePicture('7-after-crash');
    });
    await stepOnScreen('asks before it quits while work is in progress', async (on) => {
      await openPanel(page, 'Chat');
      await chooseModel(page, 'demo-story');
      await sendMessage(page, 'Tell a long story.');
      await expect(stopButton(page)).toBeVisible(WAIT);
      await on.press('ctrl+q');
      await pause(1000);
      on.takePicture('8-quit-question');
      await on.press('Escape');
      await expect(stopButton(page)).toBeVisible();
    });
    await stepOnScreen('opens where it was after a restart', async (on) => {
      const placed = { x: 60, y: 50, width: 1100, height: 700 };
      const window = await on.findWindow(TITLE);
      await on.place(window, placed);
      const before = on.getBounds(window);
      await stopButton(page).click();
      await expect(sendButton(page)).toBeVisible(WAIT);
      await on.press('ctrl+q');
      expect(await session.ended).toBe(0);
      session = start();
      await session.waitForLine(READY_LINE);
      page = await session.openPage();
      await expect(page.getByText('Tell a long story.').first()).toBeVisible(WAIT);
      expect(on.getBounds(await on.findWindow(TITLE))).toEqual(before);
      on.takePicture('9-restarted');
    });
  } catch (cause) {
    log(sessions.map((one) => one.output()).join('\n'));
    throw cause;
  } finally {
    for (const one of sessions) one.kill();
    screen?.close();
  }
}

async function openBothLinks(page: Page, workFolder: string, times: number): Promise<void> {
  for (const [name, url] of [
    ['a page', 'https://example.com/page'],
    ['write', 'mailto:a@example.com'],
  ] as const) {
    await getLink(page, name).click();
    await expectOpened(workFolder, url, times);
  }
}

function getLink(page: Page, name: string) {
  return page.getByRole('link', { name, exact: true }).first();
}

async function expectOpened(workFolder: string, url: string, times: number): Promise<void> {
  await expect
    .poll(() => listOpened(workFolder).filter((opened) => opened === url), WAIT)
    .toHaveLength(times);
}

function listDownloads(workFolder: string): { name: string; sizeBytes: number }[] {
  const folder = join(workFolder, 'user', 'Downloads');
  return readdirSync(folder).map((name) => ({
    name,
    sizeBytes: statSync(join(folder, name)).size,
  }));
}
