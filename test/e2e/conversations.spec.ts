import { expect, type Page } from '@playwright/test';
import { answers, chooseModel, runButton, sendMessage } from './fixtures/chat-page.ts';
import { test } from './fixtures/gateway-app.ts';
import type { ScriptedGateway } from './fixtures/scripted-gateway.ts';

test('lists, searches, renames and deletes conversations, and keeps the branches of one', async ({
  app,
  gateway,
}) => {
  await chooseModel(app, 'steady-model');
  for (const [question, answer] of [
    ['About lighthouses', 'A lamp on a rock'],
    ['About rivers', 'Water that walks'],
  ] as const) {
    await app.getByRole('button', { name: 'New conversation' }).click();
    await exchange(app, gateway, question, answer);
  }
  const list = app.getByRole('navigation', { name: 'Conversations' });
  const titles = list.getByRole('button', { name: /^About/ });
  await expect(titles).toHaveText([/About rivers/, /About lighthouses/]);

  const search = list.getByRole('searchbox', { name: 'Search conversations' });
  await search.fill('lamp');
  await expect(titles).toHaveText([/About lighthouses/]);
  await search.fill('nothing like it');
  await expect(list).toContainText('No matching conversations');
  await search.fill('');
  await expect(titles).toHaveCount(2);

  await titles.filter({ hasText: 'lighthouses' }).click();
  await expect(answers(app)).toContainText('A lamp on a rock');

  await list.getByRole('button', { name: 'Actions for About rivers' }).click();
  await app.getByRole('menuitem', { name: 'Rename' }).click();
  const name = list.getByRole('textbox', { name: 'Conversation name' });
  await name.fill('About great rivers');
  await name.press('Enter');
  await expect(titles.filter({ hasText: 'About great rivers' })).toBeVisible();

  await list.getByRole('button', { name: 'Actions for About lighthouses' }).click();
  await app.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(titles).toHaveText([/About great rivers/]);
  await expect(app.getByText('A lamp on a rock')).toHaveCount(0);
  await app.reload();
  await expect(titles).toHaveText([/About great rivers/]);
  // A deletion right before the reload can still be undone.
  await list.getByRole('button', { name: 'Undo' }).click();
  await titles.filter({ hasText: 'lighthouses' }).click();
  await expect(answers(app)).toContainText('A lamp on a rock');

  await list.getByRole('button', { name: 'New conversation' }).click();
  await exchange(app, gateway, 'First question', 'First answer');

  await answers(app).hover();
  await answers(app).getByRole('button', { name: 'Retry' }).click();
  const again = await gateway.nextCall();
  expect(again.body.messages).toEqual([{ role: 'user', content: 'First question' }]);
  await again.say('Second answer');
  await again.finish();
  await expect(answers(app).getByText('Second answer', { exact: true })).toBeVisible();
  await expect(answers(app)).toHaveCount(1);
  await expect(answers(app)).toContainText('2/2');
  await answers(app).getByRole('button', { name: 'Previous version' }).click();
  await expect(answers(app).getByText('First answer', { exact: true })).toBeVisible();

  const question = app
    .getByRole('log', { name: 'Conversation' })
    .getByRole('article', { name: 'user' });
  await question.hover();
  await question.getByRole('button', { name: 'Edit' }).click();
  await question.getByRole('textbox', { name: 'Edit message' }).fill('Better question');
  await question.getByRole('button', { name: 'Save and run' }).click();
  const edited = await gateway.nextCall();
  expect(edited.body.messages).toEqual([{ role: 'user', content: 'Better question' }]);
  await edited.say('Third answer');
  await edited.finish();
  await expect(answers(app).getByText('Third answer', { exact: true })).toBeVisible();

  await question.getByRole('button', { name: 'Previous version' }).click();
  await expect(question).toContainText('First question');
  await expect(answers(app).getByText(/First answer|Second answer/)).toBeVisible();
  await app.reload();
  await expect(question).toContainText('First question');

  // Later messages go only to the shown branch.
  await sendMessage(app, 'And then?');
  const next = await gateway.nextCall();
  const sent = JSON.stringify(next.body.messages);
  expect(sent).toContain('First question');
  expect(sent).not.toContain('Better question');
  await next.finish();
});

async function exchange(
  app: Page,
  gateway: ScriptedGateway,
  question: string,
  answer: string,
): Promise<void> {
  await sendMessage(app, question);
  const call = await gateway.nextCall();
  await call.say(answer);
  await call.finish();
  await expect(answers(app).last()).toContainText(answer);
  await expect(runButton(app)).toBeVisible();
}
