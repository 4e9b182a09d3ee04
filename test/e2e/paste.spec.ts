import { expect, type Locator, type Page } from '@playwright/test';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { filesWithKey } from '../fixtures/key-files.ts';
import { test } from './fixtures/app.ts';
import { actOn, answers, messageBox, sendButton } from './fixtures/chat-page.ts';
import { expectNoKeyInPage } from './fixtures/key-search.ts';

test.use({ demoSpeed: 20 });

const body = {
  model: 'demo-echo',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Where do rivers go?' },
    { role: 'assistant', content: 'To the sea.' },
    { role: 'user', content: 'It’s "why", and $HOW?' },
  ],
  temperature: 0.25,
  max_tokens: 64,
  tools: [
    {
      type: 'function',
      function: { name: 'find_river', parameters: { type: 'object', properties: {} } },
    },
  ],
  tool_choice: 'none',
  stream: true,
  unusual_field: { kept: 12345678901234567000 },
};
const key = 'sk-pasted-0123456789abcdef';
const curl = `curl https://gateway.example/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer ${key}" \\
  -d '${JSON.stringify(body).replace('12345678901234567000', '12345678901234567890')}'`;

async function paste(target: Locator, text: string): Promise<void> {
  await target.focus();
  await target.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = { bubbles: true, cancelable: true, clipboardData };
    element.dispatchEvent(new ClipboardEvent('paste', event));
  }, text);
}

/** Returns the copied text from the page, because tests can't read the desktop's clipboard. */
async function copy(app: Page, button: Locator): Promise<string> {
  await app.evaluate(() => {
    navigator.clipboard.writeText = async (text) => sessionStorage.setItem('copied', text);
  });
  await button.click();
  const read = () => app.evaluate(() => sessionStorage.getItem('copied') ?? '');
  await expect.poll(read).not.toBe('');
  return read();
}

function readBody(text: string): unknown {
  const result = readPasted(text);
  if (result?.kind !== 'request' || result.pasted.request.body.kind !== 'json') return result;
  return JSON.parse(JSON.stringify(result.pasted.request.body.value));
}

test('sends a pasted curl command after its JSON is edited, and exports the same request', async ({
  app,
  home,
}) => {
  await paste(messageBox(app), curl);
  const offer = app.getByRole('group', { name: 'Pasted request' });
  await expect(offer).toContainText(
    'You pasted a request to gateway.example. The Authorization header will be left out.',
  );
  await expect(offer.getByRole('button', { name: 'Open in Chat' })).toBeFocused();
  await app.keyboard.press('Enter');

  const notice = app.getByRole('status').filter({ hasText: 'Pasted a chat request' });
  await expect(notice).toContainText('The Authorization header was left out.');
  await expect(messageBox(app)).toHaveValue('It’s "why", and $HOW?');
  await expect(answers(app)).toContainText('To the sea.');
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('demo-echo');

  const view = app.getByRole('radiogroup', { name: 'View' });
  await view.getByRole('radio', { name: 'JSON' }).check();
  const json = app.getByRole('textbox', { name: 'Request body' });
  await json.getByText('"stream"', { exact: true }).click();
  await app.keyboard.press('Home');
  await app.keyboard.insertText('"top_k": 7,\n');
  await expect(app.getByText('Extra JSON: ')).toContainText('top_k');
  await view.getByRole('radio', { name: 'Form' }).check();

  await sendButton(app).click();
  const question = app.getByRole('alertdialog', { name: 'Send to Demo?' });
  await question.getByRole('button', { name: 'Send to Demo' }).click();
  await expect(answers(app)).toHaveCount(2);
  await actOn(answers(app).last(), 'Inspect');
  const inspector = app.getByRole('region', { name: 'Inspector' });
  await inspector.getByRole('tab', { name: 'Code', exact: true }).click();
  const code = inspector.getByRole('region', { name: 'Code', exact: true });
  await expect(code).toContainText('unusual_field');
  await expect(code).toContainText('12345678901234567890');
  await expect(code).toContainText('$GATEHOUSE_API_KEY');
  expect(readBody(await copy(app, code.getByRole('button', { name: 'Copy curl' })))).toEqual({
    ...Object(readBody(curl)),
    top_k: 7,
  });

  await expectNoKeyInPage(key, app);
  expect(filesWithKey(key, home)).toEqual([]);

  await notice.getByRole('button', { name: 'Add as connection…' }).click();
  const dialog = app.getByRole('dialog', { name: 'Add connection' });
  await expect(dialog.getByRole('textbox', { name: 'Base URL' })).toHaveValue(
    'https://gateway.example/v1',
  );
  await expect(dialog.getByLabel('API key', { exact: true })).toHaveValue(key);
});
