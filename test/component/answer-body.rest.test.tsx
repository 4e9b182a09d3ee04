/** Renders a single answer of a conversation, without the chat around it. */
import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { getResultAfterShutdown } from '../../electron/runs/ending.ts';
import { selectConversation } from '../../renderer/features/chat/conversation/chat-store.ts';
import { getLiveAnswer, getSavedAnswer } from '../../renderer/features/chat/log/answer/answer.ts';
import { AnswerBody, AnswerText } from '../../renderer/features/chat/log/answer/answer-body.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import type { TreeMessage } from '../../shared/conversation.ts';
import { appError } from '../../shared/errors.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { Figures, RunSummary } from '../../shared/run.ts';
import { delta, fold, last } from '../unit/support/chat-events.ts';
import { sent } from './chat-fake-conversations.ts';
import { moveRun } from './chat-fake-runs.ts';
import {
  addConversation,
  conversations,
  makeMessage,
  makeRun,
  requests,
} from './chat-fake-state.ts';
import { choice, openChat, openReadyChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(() => resetChat({ listOpen: false }));

const figures: Figures = { model: 'm', usage: null, finishReasons: ['stop'], noResult: null };

/** Renders an answer with the given state of its run. */
async function show(
  answer: Partial<TreeMessage>,
  state: Partial<ChatState> = {},
  fields: Partial<RunSummary> = {},
) {
  const run = makeRun({ figures, ...fields });
  moveRun(run.id, state, run);
  const message = makeMessage({ role: 'assistant', run, choiceIndex: 0, ...answer });
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <article aria-label="assistant">
        <AnswerBody message={message} run={run} onRetry={undefined} onContinue={null} />
      </article>
    </QueryClientProvider>,
  );
  const shown = screen.getByRole('article', { name: 'assistant' });
  const button = (name: string | RegExp) => shown.getByRole('button', { name });
  return { answer: shown, button, run };
}

it('shows warnings once for several choices', async () => {
  const run = makeRun({ figures: { ...figures, warnings: ['The usage isn’t a JSON object.'] } });
  showExchange('Two', { run, content: 'Hi' }, { run, content: 'Hi' });
  const { answer } = await openChat();
  const warnings = answer.getByRole('list', { name: 'Warnings' });
  await expect.element(warnings).toBeVisible();
  expect(warnings.elements()).toHaveLength(1);
});

const [a, b] = ['https://www.one.example/a', 'https://two.example/b'] as const;

it('lists sources with external links, which marks open by pointer and keyboard', async () => {
  const sources = [
    { number: 1, url: a, title: 'One', marks: [] },
    { number: 2, url: b, title: null, marks: [] },
    { number: 3, url: null, title: 'paper.pdf', marks: ['【4:0†paper】'] },
    { number: 4, url: 'javascript:alert(1)', title: 'Script', marks: [] },
  ];
  const content =
    'It **rained [1]**[2], snowed 【4:0†paper】 and `x[1]` [9]. [[1]](https://x.example)';
  const { answer, button } = await show({ content, sources });
  const items = answer.getByRole('list', { name: 'Sources' }).getByRole('listitem');
  await expect.element(items.nth(0)).toMatchTextContent('1Oneone.example');
  const link = items.nth(0).getByRole('link', { name: 'One' });
  await expect.element(link).toHaveAttribute('href', a);
  await expect.element(link).toHaveAttribute('target', '_blank');
  await expect.element(items.nth(1).getByRole('link', { name: b })).toBeVisible();
  await expect.element(items.nth(2)).toMatchTextContent('3paper.pdf');
  expect(items.nth(3).getByRole('link').elements()).toEqual([]);

  await button(`[2] ${b}`).click();
  await expect.element(items.nth(1)).toHaveFocus();
  await expect.element(items.nth(1)).toHaveAttribute('data-reached', 'true');
  await expect.element(button('[1] One')).toBeVisible();
  button('[3] paper.pdf').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(items.nth(2)).toHaveFocus();
  await expect.element(answer.getByRole('link', { name: '[1]' })).toBeVisible();
  expect(answer.element().textContent).toContain('[9]');
});

it('folds many sources until a mark is pressed', async () => {
  const sources = Array.from({ length: 12 }, (_, at) => ({
    number: at + 1,
    url: `${a}/${at}`,
    title: `Page ${at + 1}`,
    marks: [],
  }));
  const { answer, button } = await show({ content: 'See [12].', sources });
  const link = answer.getByRole('link', { name: 'Page 12' });
  await expect.element(answer.getByText(/^Sources/)).toBeVisible();
  expect(link.elements()).toEqual([]);
  await button('[12] Page 12').click();
  await expect.element(link).toBeVisible();
});

it('adds sources while the answer streams, without a new text element', async () => {
  const { answer, button, run } = await show({}, {}, { status: 'running' });
  moveRun(run.id, choice('It rained [1].'));
  await expect.element(answer.getByText('It rained [1].')).toBeVisible();
  const paragraph = answer.getByText(/It rained/).element();
  moveRun(run.id, { other: { citations: [a] } });
  await expect.element(button(`[1] ${a}`)).toBeVisible();
  expect(paragraph.isConnected).toBe(true);
});

it('shows the main metrics on one line in fixed order, and others in the details', async () => {
  const usage = {
    prompt_tokens: 12_345,
    completion_tokens: 2345,
    total_tokens: 14_690,
    prompt_tokens_details: { cached_tokens: 11_264 },
  };
  const response = { id: 'chatcmpl-1', created: 1_700_000_000, systemFingerprint: 'fp_1', usage };
  const { answer, button } = await show({ content: 'Hi' }, response, {
    startedAt: 0,
    finishedAt: 64_000,
    cost: 0.0123,
    figures: { ...figures, model: 'demo-long', usage },
  });
  const terms = () => [...answer.element().querySelectorAll('dt')];
  const labels = () => terms().map((dt) => dt.textContent);
  await expect.poll(labels).toEqual(['Input', 'Cached', 'Output', 'Total time', 'Est. cost']);
  expect(new Set(terms().map((dt) => dt.getBoundingClientRect().top)).size).toBe(1);
  const table = answer.getByRole('table', { name: 'Response details' });
  expect(table.query()).toBeNull();
  await button('Details').click();
  await expect.element(button('Details')).toHaveAttribute('aria-expanded', 'true');
  await expect.element(answer.getByText('demo-long', { exact: true }).first()).toBeVisible();
  await expect.poll(labels).toContain('Finish reason');
  expect(labels()).toContain('Model');
  for (const [name, value] of [
    ['id', 'chatcmpl-1'],
    ['created', /^1700000000/],
    ['system_fingerprint', 'fp_1'],
    ['total_tokens', '14690'],
    ['prompt_tokens_details.cached_tokens', '11264'],
  ] as const) {
    const row = table.getByRole('row', { name: new RegExp(`^${name} `) });
    await expect.element(row.getByRole('cell')).toMatchTextContent(value);
  }
  expect(table.getByText('ended with [DONE]').elements()).toHaveLength(0);
  await button('Details').click();
  await expect.element(table).not.toBeInTheDocument();
});

it('shows token probabilities, the actions of built-in tools, and all other fields', async () => {
  const half = Math.log(0.5);
  const alternatives = [
    { token: ' rained', logprob: half },
    { token: ' snowed', logprob: Math.log(0.25) },
  ];
  const logprobs = {
    content: [
      { token: 'It', logprob: -0.01, top_logprobs: [] },
      { token: ' rained', logprob: half, top_logprobs: alternatives },
      { token: '\n', logprob: half, top_logprobs: [] },
    ],
  };
  const search = { type: 'web_search_call', status: 'completed', action: { query: 'gate news' } };
  const code = { type: 'code_interpreter_call', status: 'in_progress', code: 'print(1)' };
  const [only = expect.fail()] = choice('It rained').choices;
  const message = { ...only.message, items: [search, code, { type: 'message' }] };
  const { answer, button } = await show(
    { content: 'It rained' },
    {
      choices: [{ ...only, message, other: { matched_stop: 2 }, logprobs: [logprobs] }],
      other: { service_tier: 'default', citations: [a] },
    },
  );
  await button('Details').click();
  const steps = answer.getByRole('list', { name: 'Built-in tools' }).getByRole('listitem');
  await expect.element(steps.nth(0)).toMatchTextContent('Web searchcompletedgate news');
  await expect.element(steps.nth(1)).toMatchTextContent('Code interpreterin progressprint(1)');
  expect(steps.elements()).toHaveLength(2);
  await answer.getByText(/^Other fields/).click();
  const tree = answer.getByRole('tree', { name: 'Other fields' });
  await expect.element(tree).toMatchTextContent(/service_tier.*choices.*matched_stop/s);
  expect(tree.element().textContent).not.toMatch(/citations|logprobs/);

  await button('Token probabilities').click();
  const tokens = answer.getByRole('listbox', { name: 'Token probabilities' });
  const name = /“ rained” 50\.0%; alternatives: “ snowed” 25/;
  const option = tokens.getByRole('option', { name });
  await expect.element(option).toHaveAttribute('data-doubt', '2');
  await expect.element(tokens.getByRole('option', { name: /“↵”/ })).toMatchTextContent('↵');
  await option.hover();
  await expect.element(answer.getByText('␣snowed')).toBeVisible();
  await button('Token probabilities').hover();
  await expect.element(answer.getByText('␣snowed')).not.toBeInTheDocument();
  await userEvent.tab();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(tokens).toHaveFocus();
  await expect.element(option).toHaveAttribute('aria-selected', 'true');
  await expect.element(answer.getByText('␣snowed')).toBeVisible();
});

it('shows the reason of an interrupted answer once', async () => {
  const { status, error } = getResultAfterShutdown('answered');
  const { answer } = await show({ content: 'Hi' }, {}, { status, error });
  const reason = /Partial response kept; it may be billed\./;
  await expect.element(answer.getByRole('alert')).toMatchTextContent(reason);
  expect(answer.getByText(/Interrupted/).elements()).toEqual([]);
});

it('labels reasoning from <think> tags, and marks encrypted reasoning', async () => {
  const summary = () => screen.container.querySelector('summary')?.textContent ?? '';
  const thinking = fold(delta({ content: '<think>Two and' }), delta({ content: ' two.</th' }));
  const screen = await render(<AnswerText answer={getLiveAnswer(thinking, 0)} running />);
  await expect.element(screen.getByText('Two and two.')).toBeVisible();
  expect(summary()).toContain('from <think> tags');
  const end = delta({ content: 'ink>\n\nFour.' });
  const whole = fold(delta({ content: '<think>Two and two.</th' }), end, last('stop'));
  await screen.rerender(<AnswerText answer={getLiveAnswer(whole, 0)} running={false} />);
  await expect.element(screen.getByText('Four.')).toBeVisible();
  expect(summary()).toContain('from <think> tags');
  expect(screen.container.textContent).not.toContain('</think>');

  const saved = { role: 'assistant', content: 'Five.', reasoning: 'Two.' } as const;
  for (const reasoningTagged of [true, false]) {
    const message = makeMessage({ ...saved, reasoningTagged });
    await screen.rerender(<AnswerText answer={getSavedAnswer(message)} running={false} />);
    await expect.element(screen.getByText('Five.')).toBeVisible();
    expect(summary().includes('from <think> tags')).toBe(reasoningTagged);
  }
  const message = makeMessage({ ...saved, reasoning: null, reasoningEncrypted: true });
  await screen.rerender(<AnswerText answer={getSavedAnswer(message)} running={false} />);
  const words = 'The reasoning is encrypted. Only the provider can read it.';
  await expect.element(screen.getByText(words)).toBeVisible();
});

it('explains rejected provider fields, and stops sending them on one click', async () => {
  const message = 'messages.1.reasoning_content: Extra inputs are not permitted';
  const error = appError('invalid-request', 'The gateway rejected it (400).', 'Check it.', {
    gateway: {
      status: 400,
      type: null,
      code: null,
      param: null,
      requestId: null,
      bodyExcerpt: null,
      message,
    },
  });
  const run = makeRun({ status: 'failed', error });
  moveRun(run.id, {}, run);
  const { conversation } = showExchange('News?', { content: '', run });
  const earlier = { role: 'assistant', content: 'x', reasoning_content: 'r' };
  requests.set(run.id, { messages: [earlier, { role: 'user', content: 'y' }] });
  const { answer } = await openReadyChat();
  const alert = answer.getByRole('alert');
  await expect.element(alert).toMatchTextContent(/doesn’t accept reasoning_content/);
  await alert.getByRole('button', { name: 'Retry without provider fields' }).click();
  await expect.poll(() => sent.length).toBe(1);
  expect(conversations.get(conversation.id)?.options.providerFields).toBe('never');
  expect(sent[0]).toMatchObject({ message: null, parentId: conversation.messages[0]?.id });
});

it('shows the metrics of an imported answer without offering its run', async () => {
  const question = makeMessage({ content: 'Where?' });
  const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
  const importedRun = makeRun({ model: 'gpt-5', figures: { ...figures, model: 'gpt-5', usage } });
  const imported = makeMessage({
    parentId: question.id,
    role: 'assistant',
    content: 'Here.',
    importedRun,
  });
  selectConversation(addConversation([question, imported]).id);
  const { screen, answer } = await openChat();
  await expect.element(answer.getByText('gpt-5', { exact: true })).toBeVisible();
  await expect.element(answer.getByText('Output', { exact: true })).toBeVisible();
  await expect.element(answer.getByRole('button', { name: 'Retry' })).toBeInTheDocument();
  await answer.getByRole('button', { name: 'More actions' }).click();
  await expect.element(screen.getByRole('menuitem', { name: 'Branch from here' })).toBeVisible();
  expect(screen.getByRole('menuitem', { name: 'Inspect' }).elements()).toEqual([]);
});
