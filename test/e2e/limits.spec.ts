import { ORPCError } from '@orpc/client';
import { expect } from '@playwright/test';
import { appErrorSchema } from '../../shared/error-schema.ts';
import { chooseModel, messageBox, runButton, stopButton } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import { connectRpc } from './fixtures/rpc-client.ts';

const broken: { field: string; value: string; says: string }[] = [
  { field: 'Temperature', value: '2.1', says: 'Enter a number from 0 to 2.' },
  { field: 'Temperature', value: '-0.1', says: 'Enter a number from 0 to 2.' },
  { field: 'Temperature', value: 'warm', says: 'Enter a number.' },
  { field: 'Top p', value: '1.01', says: 'Enter a number from 0 to 1.' },
  { field: 'Presence penalty', value: '-2.5', says: 'Enter a number from -2 to 2.' },
  { field: 'Frequency penalty', value: '3', says: 'Enter a number from -2 to 2.' },
  { field: 'Choices (n)', value: '0', says: 'Enter 1 or more.' },
  { field: 'Choices (n)', value: '1.5', says: 'Enter a whole number.' },
  { field: 'Seed', value: '0.5', says: 'Enter a whole number.' },
];

test('rejects a chat parameter outside its limits at its field', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  await messageBox(app).fill('Hello');
  const parameters = app.getByRole('complementary', { name: 'Parameters' });
  for (const { field, value, says } of broken) {
    await test.step(`${field} ${value}`, async () => {
      const box = parameters.getByRole('spinbutton', { name: field, exact: true });
      await box.fill(value);
      await expect(box).toHaveAccessibleDescription(new RegExp(literally(says)));
      await expect(box).toHaveAttribute('aria-invalid', 'true');
      await runButton(app).click({ force: true });
      await messageBox(app).press('ControlOrMeta+Enter');
      await expect(runButton(app)).toHaveAccessibleDescription(new RegExp(literally(field)));
      await parameters.getByRole('button', { name: `Reset ${field}` }).click();
      await expect(box).toHaveValue('');
    });
  }

  const extra = parameters.getByRole('textbox', { name: 'Extra body fields' });
  for (const wrong of ['{"top_k": }', '[1]', '{"a": 1']) {
    await extra.fill(wrong);
    await expect(extra).toHaveAttribute('aria-invalid', 'true');
    await messageBox(app).press('ControlOrMeta+Enter');
  }
  await expect(stopButton(app)).toHaveCount(0);
  expect(gateway.calls).toHaveLength(0);

  // Extra body fields are not validated.
  await extra.fill('{"temperature": 9, "top_k": 40}');
  await runButton(app).click();
  const call = await gateway.nextCall();
  expect(call.body).toMatchObject({ temperature: 9, top_k: 40, stream: true });
  await call.finish();
  expect(gateway.calls).toHaveLength(1);
});

test.describe('in the browser host', () => {
  test.skip(({ hostKind }) => hostKind !== 'browser', 'It is about the browser host.');

  test("the main process rejects an invalid request that the page didn't check", async ({
    app,
    gateway,
  }) => {
    const { api, close } = await connectRpc(app);
    try {
      const connection = (await api.connections.list()).find(({ kind }) => kind === 'environment');
      const good = { model: 'steady-model', messages: [{ role: 'user', content: 'Hi' }] };
      const wrong: [field: string, request: object][] = [
        ['temperature', { ...good, temperature: 2.1 }],
        ['top_p', { ...good, top_p: -1 }],
        ['n', { ...good, n: 0 }],
        ['presence_penalty', { ...good, presence_penalty: 2.01 }],
        ['reasoning_effort', { ...good, reasoning_effort: 'extreme' }],
        ['messages', { ...good, messages: [] }],
        ['model', { ...good, model: '' }],
        ['top_k', { ...good, top_k: 40 }],
      ];
      for (const [field, request] of wrong) {
        const refusal = await api.runs
          .start({
            operation: 'chat',
            connectionId: connection?.id ?? '',
            request: JSON.parse(JSON.stringify(request)),
            extraBody: {},
          })
          .catch((error: unknown) => error);
        expect(refusal, field).toBeInstanceOf(ORPCError);
        const error = appErrorSchema.parse(refusal instanceof ORPCError ? refusal.data : null);
        expect(error.kind).toBe('invalid-request');
        const paths =
          error.kind === 'invalid-request' ? error.fields.map(({ path }) => path[0]) : [];
        expect(paths).toEqual([field]);
      }
      const all = { connectionId: null, operation: null, status: null, before: null, limit: 50 };
      expect((await api.runs.list(all)).runs).toEqual([]);
      expect(gateway.calls).toHaveLength(0);
    } finally {
      close();
    }
  });
});

function literally(text: string): string {
  return text.replace(/[.()]/g, '\\$&');
}
