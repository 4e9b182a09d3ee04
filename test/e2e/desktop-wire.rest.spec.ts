import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chromium, expect, type Page } from '@playwright/test';
import { chromiumArgs, findChromium } from '../scripts/chromium.ts';
import { test as base } from './fixtures/app.ts';
import { answers, chooseModel, messageBox, sendMessage } from './fixtures/chat-page.ts';
import type { PortCounts, WireHostMessage, WireHostRequest } from './fixtures/desktop-wire-host.ts';

interface DesktopWire {
  page: Page;
  /** Closes the main process's end of every port. */
  hangUp(): void;
  ports(): Promise<PortCounts>;
}

const preload = readFileSync('.out/preload/preload.cjs', 'utf8');

/** Runs the preload in the page, with a socket in place of Electron's ports. */
const beforePage = `(() => {
  const ipcRenderer = {
    postMessage(channel, message, [port]) {
      const socket = new WebSocket(location.origin.replace('http', 'ws') + '/bridge');
      const waiting = [];
      const send = (text) => (socket.readyState === 1 ? socket.send(text) : waiting.push(text));
      port.addEventListener('message', ({ data }) => send(data));
      port.addEventListener('close', () => socket.close());
      socket.addEventListener('open', () => waiting.splice(0).forEach(send));
      socket.addEventListener('message', ({ data }) => port.postMessage(data));
      socket.addEventListener('close', () => port.close());
      port.start();
    },
  };
  ((require, exports) => { ${preload} })(() => ({ ipcRenderer }), {});
})();`;

const test = base.extend<{ wire: DesktopWire }>({
  async wire({ hostKind, home, environment }, use, testInfo) {
    testInfo.skip(hostKind !== 'browser', 'It stands in for Electron, in Chromium.');
    const executablePath = findChromium();
    const browser = await chromium.launch({
      // Electron's ports emit this event (docs/tutorial/message-ports.md); Chromium's need a flag.
      args: [...chromiumArgs, '--enable-blink-features=MessagePortCloseEvent'],
      ...(executablePath !== null && { executablePath }),
    });
    const main = fork('test/e2e/fixtures/desktop-wire-host.ts', [home, '.out/renderer'], {
      env: { ...process.env, ...environment },
    });
    const { address } = await heard(main, 'address');
    const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
    await page.addInitScript(beforePage);
    await page.goto(address);
    await use({
      page,
      hangUp: () => tell(main, 'hang up'),
      async ports() {
        tell(main, 'count ports');
        return (await heard(main, 'ports')).ports;
      },
    });
    await browser.close();
    main.disconnect();
    await once(main, 'exit');
  },
});

function tell(main: ChildProcess, request: WireHostRequest): void {
  main.send(request);
}

type Heard<Key extends string> = Extract<WireHostMessage, Record<Key, unknown>>;

async function heard<Key extends 'address' | 'ports'>(
  main: ChildProcess,
  key: Key,
): Promise<Heard<Key>> {
  const [message]: Heard<Key>[] = await once(main, 'message');
  if (message === undefined || !(key in message)) {
    throw new Error(`Main said ${JSON.stringify(message)}.`);
  }
  return message;
}

test.use({ demoSpeed: 6 });

test('keeps messages, drafts and answers when the desktop page gets new ports', async ({
  wire: { page, hangUp, ports },
}) => {
  await test.step('sends and receives long messages in full', async () => {
    await chooseModel(page, 'demo-echo');
    await sendMessage(page, `Say it back: ${'木 gate '.repeat(300)}end`);
    await expect(answers(page)).toContainText('Total');
    await expect(answers(page)).toContainText('木 gate end');
    expect(await ports()).toEqual({ open: 1, accepted: 1 });
  });

  await test.step('closes old ports and keeps all data on a reload', async () => {
    const typed = `Typed before the reload ${'木'.repeat(100_000)}`;
    await messageBox(page).fill(typed);
    await page.reload();
    await expect(messageBox(page)).toHaveValue(typed);
    await expect.poll(ports).toEqual({ open: 1, accepted: 2 });
  });

  await test.step('continues an answer on the port that replaces a closed one', async () => {
    await page.getByRole('button', { name: 'New conversation' }).click();
    await chooseModel(page, 'demo-story');
    await sendMessage(page, 'A long story');
    await expect(answers(page).getByText('Saltmere').first()).toBeVisible();
    hangUp();
    await expect.poll(ports).toEqual({ open: 1, accepted: 3 });
    await expect(answers(page)).toContainText('Total');
    await expect(answers(page)).toHaveCount(1);
    await expect(page.getByText(/^Lost connection to Gatehouse/)).toBeHidden();
  });
});
