import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { expect, it } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { startTestServices } from '../fixtures/test-services.ts';

it('measures disk usage by kind, and counts a shared file once', async () => {
  const home = temporaryFolder();
  const services = await startTestServices({ home });
  const { media } = services;
  for (const name of ['one.txt', 'same.txt']) {
    const writer = media.begin({ name, declaredType: 'text/plain' });
    const bytes = Buffer.from('twelve bytes');
    await media.writer(writer.id)?.write(bytes, 0);
    await media.writer(writer.id)?.finish();
  }
  mkdirSync(join(home, 'logs'), { recursive: true });
  writeFileSync(join(home, 'logs', 'gatehouse.log'), 'x'.repeat(70));
  writeFileSync(join(home, 'media', `${'0'.repeat(64)}.peaks`), 'x'.repeat(30));
  const used = await createRouterClient(createRouter(services)).system.diskUse();
  expect(used).toMatchObject([
    { kind: 'database', items: null },
    { kind: 'events', items: null },
    { kind: 'file', bytes: 12, items: 1 },
    { kind: 'waveforms', bytes: 30, items: 1 },
    { kind: 'logs', bytes: 70, items: 1 },
  ]);
  expect(used[0]?.bytes).toBeGreaterThan(1000);
});
