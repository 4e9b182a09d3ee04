import { Server } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startDemo } from '../../electron/demo/server.ts';
import { temporaryFolder } from '../fixtures/data-folder.ts';
import { startTestServices } from '../fixtures/test-services.ts';

const small = { model: 'demo-video', prompt: 'x', width: 16, height: 16, duration: 1, fps: 1 };

async function runVideo(environment: NodeJS.ProcessEnv) {
  const demo = await startDemo(environment);
  const tasks = `${demo.baseUrl}/v1/video/generations`;
  const headers = { authorization: `Bearer ${demo.key}` };
  const reply = await fetch(tasks, { method: 'POST', headers, body: JSON.stringify(small) });
  const { task_id: id } = JSON.parse(await reply.text());
  const status = async () =>
    JSON.parse(await (await fetch(`${tasks}/${id}`, { headers })).text()).status;
  return { demo, status };
}

it('finishes video tasks after the number of seconds set in the environment', async () => {
  const { demo, status } = await runVideo({ GATEHOUSE_DEMO_VIDEO_SECONDS: '0.1' });
  await expect.poll(status).toBe('completed');
  await demo.close();
});

it('applies the speed factor set in the environment', async () => {
  const { demo, status } = await runVideo({ GATEHOUSE_DEMO_SPEED: '100' });
  await expect.poll(status).toBe('completed');
  await demo.close();
});

it.each([
  { GATEHOUSE_DEMO_VIDEO_SECONDS: '' },
  { GATEHOUSE_DEMO_VIDEO_SECONDS: 'soon' },
  { GATEHOUSE_DEMO_VIDEO_SECONDS: '-1' },
  { GATEHOUSE_DEMO_SPEED: '0' },
  { GATEHOUSE_DEMO_SPEED: '1e9' },
])('uses its default duration if the environment has %o', async (environment) => {
  let now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  const { demo, status } = await runVideo(environment);
  // The default task takes two seconds.
  now += 1000;
  expect(await status()).toBe('queued');
  await demo.close();
});

it('lists Demo with its current URL after each restart', async () => {
  const home = temporaryFolder();
  for (let start = 0; start < 2; start += 1) {
    const services = await startTestServices({ home });
    const { baseUrl } = services.connections.list()[0] ?? {};
    expect((await fetch(`${baseUrl}/v1/models`)).status).toBe(401);
    expect(await services.connections.resolve('demo')).toMatchObject({ baseUrl });
    await services.close();
  }
});

function failListen(error: Error): void {
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    queueMicrotask(() => this.emit('error', error));
    return this;
  });
  onTestFinished(() => listen.mockRestore());
}

it('rejects if Demo fails for a reason other than its port', async () => {
  failListen(new Error('a defect'));
  await expect(startDemo({})).rejects.toThrow('a defect');
});

it('starts without Demo and explains why if no port is free', async () => {
  failListen(Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' }));
  const lines: string[] = [];
  await startDemo({}, (line) => lines.push(line));
  expect(lines).toEqual([
    'Demo is unavailable. Couldn’t open a port on 127.0.0.1 (listen EADDRINUSE).',
  ]);
  const services = await startTestServices();
  const reason = 'Couldn’t open a port on 127.0.0.1 (listen EADDRINUSE).';
  expect(services.connections.list()).toMatchObject([{ id: 'demo', unavailable: reason }]);
  await expect(services.connections.resolve('demo')).rejects.toMatchObject({
    error: { kind: 'unreachable', message: `Demo is unavailable. ${reason}` },
  });
});
