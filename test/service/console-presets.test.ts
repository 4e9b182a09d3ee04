import { expect, it } from 'vitest';
import {
  getConsolePresets,
  getExpectation,
} from '../../renderer/features/console/console-presets.ts';
import { shareClient } from './demo-gateway-client.ts';

const client = await shareClient();

it.each(getConsolePresets(true))(
  'runs the example “$title” on the demo gateway, or shows the expected error',
  async ({ request }) => {
    const { method, path, body } = request;
    const response = method === 'GET' ? await client.get(path) : await client.post(path, body);
    await response.arrayBuffer();
    expect(response.status).toBe(getExpectation(request) === null ? 200 : 501);
  },
);

it('leaves the model name empty for other gateways', () => {
  const bodies = getConsolePresets(false).map(({ request }) => request.body);
  expect(bodies.join()).not.toContain('demo-');
});
