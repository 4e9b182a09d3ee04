import { beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { selectConversation } from '../../renderer/features/chat/chat-store.ts';
import { appError } from '../../shared/errors.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { Figures, RunSummary } from '../../shared/run.ts';
import {
  addConversation,
  conversations,
  makeMessage,
  makeRun,
  moveRun,
  requests,
  sent,
} from './chat-fake-main.ts';
import { choice, openChat, openReadyChat, resetChat } from './chat-fixtures.tsx';

const figures: Figures = { model: 'm', usage: null, finishReasons: ['stop'], noResult: null };
const [a, b] = ['https://www.one.example/a', 'https://two.example/b'] as const;

beforeEach(() => resetChat({ listOpen: false }));

/** A conversation with one finished answer. */
function settled(
  answer: Parameters<typeof makeMessage>[0],
  state: Partial<ChatState> = {},
  fields: Partial<RunSummary> = {},
) {
  const question = makeMessage({ content: 'News?' });
  const run = makeRun({ figures, ...fields });
  const message = { parentId: question.id, role: 'assistant' as const, run, choiceIndex: 0 };
  const conversation = addConversation([question, makeMessage({ ...message, ...answer })]);
  moveRun(run.id, state, run);
  selectConversation(conversation.id);
  return conversation;
}

describe('the sources of an answer', () => {
  const sources = [
    { number: 1, url: a, title: 'One', marks: [] },
    { number: 2, url: b, title: null, marks: [] },
    { number: 3, url: null, title: 'paper.pdf', marks: ['【4:0†paper】'] },
    { number: 4, url: 'javascript:alert(1)', title: 'Script', marks: [] },
  ];

  it('are listed with number, title, site and a link to outside', async () => {
    settled({ content: 'It rained [1].', sources });
    const { answer } = await openChat();
    const items = answer.getByRole('list', { name: 'Sources' }).getByRole('listitem');
    await expect.element(items.nth(0)).toMatchTextContent('1Oneone.example');
    const link = items.nth(0).getByRole('link', { name: 'One' });
    await expect.element(link).toHaveAttribute('href', a);
    await expect.element(link).toHaveAttribute('target', '_blank');
    await expect.element(items.nth(1).getByRole('link', { name: b })).toBeVisible();
    await expect.element(items.nth(2)).toMatchTextContent('3paper.pdf');
    expect(items.nth(3).getByRole('link').elements()).toEqual([]);
  });

  it('are reached from marks in the text, by pointer and keyboard', async () => {
    const content =
      'It **rained [1]**[2], snowed 【4:0†paper】 and `x[1]` [9]. [[1]](https://x.example)';
    settled({ content, sources });
    const { answer } = await openChat();
    const items = answer.getByRole('list', { name: 'Sources' }).getByRole('listitem');
    await answer.getByRole('button', { name: `[2] ${b}` }).click();
    await expect.element(items.nth(1)).toHaveFocus();
    await expect.element(items.nth(1)).toHaveAttribute('data-reached', 'true');
    await expect.element(answer.getByRole('button', { name: '[1] One' })).toBeVisible();
    answer.getByRole('button', { name: '[3] paper.pdf' }).element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(items.nth(2)).toHaveFocus();
    await expect.element(answer.getByRole('link', { name: '[1]' })).toBeVisible();
    expect(answer.element().textContent).toContain('[9]');
  });

  it('are folded if there are many, until a mark is pressed', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      ...{ number: at + 1, url: `${a}/${at}`, title: `Page ${at + 1}`, marks: [] },
    }));
    settled({ content: 'See [12].', sources: many });
    const { answer } = await openChat();
    const link = answer.getByRole('link', { name: 'Page 12' });
    await expect.element(answer.getByText(/^Sources/)).toBeVisible();
    expect(link.elements()).toEqual([]);
    await answer.getByRole('button', { name: '[12] Page 12' }).click();
    await expect.element(link).toBeVisible();
  });

  it('appear while the answer streams, without a new text element', async () => {
    const { message, button, answer } = await openReadyChat();
    await message.fill('News?');
    await button('Run').click();
    await expect.poll(() => requests.size).toBe(1);
    const [runId = ''] = requests.keys();
    moveRun(runId, choice('It rained [1].'));
    await expect.element(answer.getByText('It rained [1].')).toBeVisible();
    const paragraph = answer.getByText(/It rained/).element();
    moveRun(runId, { other: { citations: [a] } });
    await expect.element(answer.getByRole('button', { name: `[1] ${a}` })).toBeVisible();
    expect(paragraph.isConnected).toBe(true);
  });
});

describe('the details of an answer', () => {
  const half = Math.log(0.5);
  const logprobs = {
    content: [
      { token: 'It', logprob: -0.01, top_logprobs: [] },
      {
        ...{ token: ' rained', logprob: half },
        top_logprobs: [
          { token: ' rained', logprob: half },
          { token: ' snowed', logprob: Math.log(0.25) },
        ],
      },
      { token: '\n', logprob: half, top_logprobs: [] },
    ],
  };
  const [only] = choice('It rained').choices;
  if (only === undefined) throw new Error('The state has a choice.');
  const state: Partial<ChatState> = {
    choices: [{ ...only, other: { matched_stop: 2 }, logprobs: [logprobs] }],
    other: { service_tier: 'default', citations: [a] },
  };

  it('tint tokens by probability and name alternatives on hover and by keyboard', async () => {
    settled({ content: 'It rained' }, state);
    const { answer } = await openChat();
    await answer.getByRole('button', { name: 'Details' }).click();
    await answer.getByRole('button', { name: 'Token probabilities' }).click();
    const tokens = answer.getByRole('listbox', { name: 'Token probabilities' });
    const option = tokens.getByRole('option', {
      name: /“ rained” 50\.0 %; alternatives: “ snowed” 25/,
    });
    await expect.element(option).toHaveAttribute('data-doubt', '2');
    await expect.element(tokens.getByRole('option', { name: /“↵”/ })).toMatchTextContent('↵');
    await option.hover();
    await expect.element(answer.getByText('␣snowed')).toBeVisible();
    await answer.getByRole('button', { name: 'Token probabilities' }).hover();
    await expect.element(answer.getByText('␣snowed')).not.toBeInTheDocument();
    await userEvent.tab();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(tokens).toHaveFocus();
    await expect.element(option).toHaveAttribute('aria-selected', 'true');
    await expect.element(answer.getByText('␣snowed')).toBeVisible();
  });

  it('say what the provider’s tools did', async () => {
    const search = { type: 'web_search_call', status: 'completed', action: { query: 'gate news' } };
    const code = { type: 'code_interpreter_call', status: 'in_progress', code: 'print(1)' };
    const message = { ...only.message, items: [search, code, { type: 'message' }] };
    settled({ content: 'It rained' }, { choices: [{ ...only, message }] });
    const { answer } = await openChat();
    await answer.getByRole('button', { name: 'Details' }).click();
    const steps = answer.getByRole('list', { name: 'Built-in tools' }).getByRole('listitem');
    await expect.element(steps.nth(0)).toMatchTextContent('Web searchcompletedgate news');
    await expect.element(steps.nth(1)).toMatchTextContent('Code interpreterin progressprint(1)');
    expect(steps.elements()).toHaveLength(2);
  });

  it('list fields that nothing else shows, folded', async () => {
    settled({ content: 'It rained' }, state);
    const { answer } = await openChat();
    await answer.getByRole('button', { name: 'Details' }).click();
    await answer.getByText(/^Other fields/).click();
    const tree = answer.getByRole('tree', { name: 'Other fields' });
    await expect.element(tree).toMatchTextContent(/service_tier.*choices.*matched_stop/s);
    expect(tree.element().textContent).not.toMatch(/citations|logprobs/);
  });
});

it('says that reasoning is encrypted', async () => {
  settled({ content: 'Four.', reasoningEncrypted: true });
  const { answer } = await openChat();
  await expect
    .element(answer.getByText('The reasoning is encrypted. Only the provider can read it.'))
    .toBeVisible();
});

describe('rejected provider fields', () => {
  const gateway = {
    ...{ status: 400, type: null, code: null, param: null, requestId: null, bodyExcerpt: null },
    message: 'messages.1.reasoning_content: Extra inputs are not permitted',
  };
  const error = appError(
    'invalid-request',
    'The gateway rejected the request (400).',
    'Check it.',
    {
      gateway,
    },
  );

  it('are explained, and left out with one press', async () => {
    const conversation = settled({ content: '' }, {}, { status: 'failed', error });
    const runId = conversation.messages.at(-1)?.run?.id ?? '';
    const earlier = { role: 'assistant', content: 'x', reasoning_content: 'r' };
    requests.set(runId, { messages: [earlier, { role: 'user', content: 'y' }] });
    const { answer } = await openReadyChat();
    const alert = answer.getByRole('alert');
    await expect.element(alert).toMatchTextContent(/doesn’t accept reasoning_content/);
    await alert.getByRole('button', { name: 'Retry without provider fields' }).click();
    await expect.poll(() => sent.length).toBe(1);
    expect(conversations.get(conversation.id)?.options.providerFields).toBe('never');
    expect(sent[0]).toMatchObject({ message: null, parentId: conversation.messages[0]?.id });
  });

  it('aren’t blamed if the request had none', async () => {
    settled({ content: '' }, {}, { status: 'failed', error });
    const { answer } = await openReadyChat();
    await expect.element(answer.getByRole('button', { name: 'Retry' })).toBeVisible();
    expect(answer.getByRole('button', { name: /provider fields/ }).elements()).toEqual([]);
  });

  it('don’t change other errors', async () => {
    const other = { ...error, gateway: { ...gateway, message: 'Unknown model' } };
    settled({ content: '' }, {}, { status: 'failed', error: other });
    const { answer } = await openReadyChat();
    await expect.element(answer.getByRole('button', { name: 'Retry' })).toBeVisible();
    expect(answer.getByRole('button', { name: /provider fields/ }).elements()).toEqual([]);
  });
});
