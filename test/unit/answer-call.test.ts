import { expect, it } from 'vitest';
import { createCallAnswers } from '../../electron/tools/answer-call.ts';

it('excludes the wait for the user’s approval from a call’s duration', async () => {
  let now = 0;
  const answers = createCallAnswers({
    scripts: { run: () => Promise.reject(new Error('No script')) },
    servers: {
      find: () => null,
      async call(_tool, _args, { ask }) {
        now += 10;
        await ask();
        now += 5;
        return { content: 'Sunny', failed: false, misfit: null };
      },
    },
    checkArguments: async () => null,
    clock: () => now,
  });
  const tool = { serverId: 'server', server: 'Weather', name: 'weather' };
  const result = await answers.answer(
    { kind: 'server', tool, args: {} },
    {
      callId: 'call',
      signal: new AbortController().signal,
      async ask() {
        now += 60_000;
        return 'once';
      },
    },
  );
  expect(result).toMatchObject({ content: 'Sunny', durationMs: 5 });
});
