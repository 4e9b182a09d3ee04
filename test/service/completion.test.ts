import { expect, it } from 'vitest';
import { startBench } from '../fixtures/run-operation.ts';
import { reply } from '../fixtures/wire-server.ts';

it('sends an empty prompt, which the interface allows', async () => {
  const bench = await startBench(({ send }) =>
    send(
      reply(
        '200 OK',
        { 'Content-Type': 'application/json' },
        '{"choices":[{"text":"Once upon a time","index":0,"finish_reason":"stop"}]}',
      ),
    ),
  );
  const request = { model: 'm', prompt: '' };
  const view = await bench.run('completion', request);
  expect(view).toMatchObject({ status: 'succeeded', preview: '' });
  expect(view.state.choices).toMatchObject([{ text: 'Once upon a time' }]);
  const [sent = ''] = bench.server.requests;
  expect(JSON.parse(sent.slice(sent.indexOf('\r\n\r\n')))).toEqual(request);
});
