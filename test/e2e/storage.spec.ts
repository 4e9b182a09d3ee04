import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { startBrowserHostProcess } from './fixtures/browser-host-process.ts';
import { answers, chooseModel, openAddress, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

test('renames a damaged database, keeps it byte for byte and shows a notice', async ({
  app,
  home,
  host,
  hostEnvironment,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  await sendMessage(app, 'Before the damage');
  await (await gateway.nextCall()).finish();
  await expect(runButton(app)).toBeVisible();
  await host.stop();

  const ledger = join(home, 'ledger.sqlite');
  const damaged = readFileSync(ledger);
  damaged.fill(0xa5, 100, damaged.length - 100);
  writeFileSync(ledger, damaged);

  const restarted = await startBrowserHostProcess({ home, environment: hostEnvironment });
  try {
    await openAddress(app, restarted.address);
    const notice = app.getByRole('status').filter({ hasText: 'The database was damaged' });
    await expect(notice).toContainText('It was renamed to ledger-damaged-');
    const aside = readdirSync(home).filter((name) => /^ledger-damaged-.*\.sqlite$/.test(name));
    expect(aside).toHaveLength(1);
    expect(await notice.innerText()).toContain(aside[0]);
    expect(readFileSync(join(home, aside[0] ?? '')).equals(damaged)).toBe(true);

    await chooseModel(app, 'steady-model');
    await sendMessage(app, 'After the damage');
    const call = await gateway.nextCall();
    await call.say('It works again');
    await call.finish();
    await expect(answers(app)).toContainText('It works again');
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notice).toBeHidden();
  } finally {
    await restarted.stop();
  }
});
