import { beforeEach, describe, expect, it } from 'vitest';
import { resultAfterShutdown } from '../../electron/runs/ending.ts';
import { defaultConversationOptions } from '../../shared/conversation.ts';
import { chatChoice } from '../fixtures/chat-choice.ts';
import { makeRun, moveRun, requests, sent } from './chat-fake-main.ts';
import { openChat, resetChat, showExchange } from './chat-fixtures.tsx';
import { storeFields } from './fake-forms.ts';

beforeEach(() => resetChat({ listOpen: false }));

describe('an answer held to a schema', () => {
  const responseFormat = {
    type: 'json_schema',
    json_schema: { name: 'n', schema: { type: 'object', required: ['title'] } },
  };

  it.each([
    ['{"title": "T"}', /Matches the JSON schema\./],
    ['{"name": "T"}', /Doesn’t match the JSON schema: 1 problem.*"title" is missing/],
    ['Certainly!', /Doesn’t match the JSON schema: not valid JSON\./],
  ])('%s is checked once it has ended', async (content, words) => {
    storeFields('new-conversation', {
      input: { options: { ...defaultConversationOptions, responseFormat } },
    });
    const { screen, button } = await openChat();
    await screen.getByRole('textbox', { name: 'Message', exact: true }).fill('JSON');
    await button('Run').click();
    await expect.poll(() => sent[0]?.request.response_format).toEqual(responseFormat);
    const [runId = ''] = [...requests.keys()];
    moveRun(
      runId,
      { choices: [chatChoice({ content, finishReason: 'stop' })] },
      { status: 'succeeded' },
    );
    await expect
      .element(screen.getByRole('article', { name: 'assistant' }))
      .toMatchTextContent(words);
  });
});

describe('an interrupted answer', () => {
  it('shows the reason once', async () => {
    const { status, error } = resultAfterShutdown('answered');
    showExchange('Hello', { run: makeRun({ status, error }), content: 'Hi' });
    const { answer } = await openChat();
    await expect
      .element(answer.getByRole('alert'))
      .toMatchTextContent(/Partial response kept; it may be billed\./);
    expect(answer.getByText(/Interrupted/).elements()).toEqual([]);
  });
});
