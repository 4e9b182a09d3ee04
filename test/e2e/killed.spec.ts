import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, type Locator } from '@playwright/test';
import { readFrames } from '../../electron/storage/frames/frame-file.ts';
import { startBrowserHostProcess } from './fixtures/browser-host-process.ts';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import type { GatewayCall } from './fixtures/scripted-gateway.ts';

test('after SIGKILL the database is valid, and the next start shows Interrupted', async ({
  app,
  home,
  host,
  hostEnvironment,
  gateway,
}, testInfo) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Count');
  const counting = countUntilCut(await gateway.nextCall());
  await expect(answers(app)).toContainText('word60 ');
  // Text shown half a second ago is on disk; the short torture test allows the same.
  const shown = await lastWord(answers(app));
  await expect(answers(app)).toContainText(`word${shown + 100} `);
  await host.kill();
  const sent = await counting;

  const crashed = testInfo.outputPath('crashed');
  cpSync(home, crashed, { recursive: true });
  const kept = readLedger(crashed);
  expect(kept.integrity).toEqual(['ok', 'ok']);
  expect(kept.status).toBe('running');
  expect(kept.text).toBe(sent.join('').slice(0, kept.text.length));
  expect(kept.text).toContain(`word${shown} `);

  const port = new URL(app.url()).port;
  const restarted = await startBrowserHostProcess({
    home,
    environment: hostEnvironment,
    args: ['--port', port],
  });
  try {
    // The page's session ended with the process; the page explains what to do.
    await expect(app.getByRole('alert')).toContainText('Gatehouse restarted');
    const url = app.getByRole('textbox', { name: 'New URL' });
    await url.fill('not a URL');
    await url.press('Enter');
    await expect(app.getByText('Paste the whole URL')).toBeVisible();
    await url.fill(restarted.address);
    await url.press('Enter');
    await app.waitForURL((address) => address.search === '');
    const answer = answers(app);
    await expect(answer.getByRole('alert')).toContainText('Gatehouse closed during this response.');
    await expect(answer.getByText(kept.text.trim(), { exact: true })).toBeVisible();
    await expect(runButton(app)).toBeVisible();
    expect(gateway.calls).toHaveLength(1);
    expect(readLedger(home).status).toBe('interrupted');

    // The conversation continues: Retry sends again because the user asked.
    await answer.getByRole('button', { name: 'Retry' }).first().click();
    const again = await gateway.nextCall();
    await again.say('whole');
    await again.finish();
    await expect(answers(app).getByText('whole', { exact: true })).toBeVisible();
  } finally {
    await restarted.stop();
  }
});

/** The number of the last word that is shown. */
async function lastWord(answer: Locator): Promise<number> {
  const words = [...(await answer.innerText()).matchAll(/word(\d+) /g)];
  return Number(words.at(-1)?.[1]);
}

/** Sends a word every few milliseconds until the client is gone. Returns the number of words. */
function countUntilCut(call: GatewayCall): Promise<string[]> {
  const sent: string[] = [];
  const timer = setInterval(() => {
    const word = `word${sent.length + 1} `;
    sent.push(word);
    void call.say(word);
  }, 5);
  return call.closedAt.then(() => {
    clearInterval(timer);
    return sent;
  });
}

function readLedger(home: string) {
  const ledger = new DatabaseSync(join(home, 'ledger.sqlite'));
  const file = new DatabaseSync(join(home, 'frames.sqlite'));
  try {
    const checks = [ledger, file].map((db) => db.prepare('PRAGMA integrity_check').get());
    const integrity = checks.map((check) => String(check?.integrity_check));
    const run = ledger.prepare('SELECT row, status FROM runs').get();
    const text = [
      ...readFrames(
        { sql: (sql) => file.prepare(sql) },
        Number(run?.row),
        {
          after: 0,
        },
        () => undefined,
      ),
    ]
      .map(({ data }) => JSON.parse(data).choices[0].delta.content)
      .join('');
    return { integrity, status: run?.status, text };
  } finally {
    ledger.close();
    file.close();
  }
}
