import { expect } from '@playwright/test';
import { answers, chooseModel, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';

/** 2^53 + 1: JavaScript would make it …992. */
const SEED = '9007199254740993';
const EXTRA = '{"ids":[18446744073709551615,{"least":1.0000000000000000001}],"most":1e400}';
const CREATED = '1700000000000000000001';

test('sends, records and shows long numbers exactly', async ({ app, gateway }) => {
  await chooseModel(app, 'steady-model');
  const parameters = app.getByRole('complementary', { name: 'Parameters' });
  await parameters.getByRole('button', { name: 'More' }).click();
  const seed = parameters.getByRole('spinbutton', { name: 'Seed', exact: true });
  await seed.fill(SEED);
  await expect(seed).not.toHaveAttribute('aria-invalid', 'true');
  await seed.press('ArrowUp');
  await expect(seed).toHaveValue('9007199254740994');
  await seed.press('ArrowDown');
  await parameters.getByRole('textbox', { name: 'Extra body fields' }).fill(EXTRA);
  await sendMessage(app, 'Hello');
  const call = await gateway.nextCall();
  expect(call.request).toContain(`"seed":${SEED},`);
  expect(call.request.endsWith(`,${EXTRA.slice(1)}`)).toBe(true);
  await call.frame(
    `{"id":98765432109876543210,"created":${CREATED},"choices":[{"index":0,"delta":{"content":"Hi"}}]}`,
  );
  await call.finish();
  await expect(answers(app)).toContainText('Hi');

  await app.reload();
  await expect(seed).toHaveValue(SEED);
  await expect(parameters.getByRole('textbox', { name: 'Extra body fields' })).toHaveValue(EXTRA);

  await answers(app).getByRole('button', { name: 'Inspect', exact: true }).click();
  const inspector = app.getByRole('region', { name: 'Inspector' });
  const tab = (name: string) => inspector.getByRole('tab', { name, exact: true }).click();
  await tab('Request');
  await expect(inspector).toContainText(`"seed": ${SEED}`);
  await expect(inspector).toContainText('18446744073709551615');
  await expect(inspector).toContainText('1.0000000000000000001');
  await expect(inspector).toContainText('1e400');
  await tab('Response');
  await expect(inspector).toContainText('98765432109876543210');
  await expect(inspector).toContainText(CREATED);
  await tab('Code');
  await expect(inspector).toContainText(`"seed": ${SEED}`);

  await answers(app).getByRole('button', { name: 'Retry', exact: true }).click();
  const again = await gateway.nextCall();
  expect(again.request).toContain(`"seed":${SEED},`);
  expect(again.request.endsWith(`,${EXTRA.slice(1)}`)).toBe(true);
  await again.finish();
});
