import { createRouterClient } from '@orpc/server';
import { expect, it } from 'vitest';
import { createRouter } from '../../electron/router.ts';
import { startTestServices } from '../fixtures/test-services.ts';

it('logs nothing when the page cancels a backup', async () => {
  const lines: string[] = [];
  const services = await startTestServices({ log: (line) => lines.push(line) });
  const api = createRouterClient(createRouter(services));
  const stop = new AbortController();
  const work = async () => {
    for await (const { stage } of await api.backups.create(undefined, { signal: stop.signal })) {
      if (stage === 'copying') stop.abort();
    }
  };
  await expect(work()).rejects.toThrow('aborted');
  expect(lines).toEqual([]);
});
