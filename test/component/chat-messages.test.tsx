import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { selectConversation } from '../../renderer/features/chat/conversation/chat-store.ts';
import { AnswerBody } from '../../renderer/features/chat/log/answer/answer-body.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { uploadMedia } from '../../renderer/media/uploads/upload-media.ts';
import type { Conversation, TreeMessage } from '../../shared/conversation.ts';
import { type AppError, appError } from '../../shared/errors.ts';
import type { Media } from '../../shared/media.ts';
import type { Content } from '../../shared/operations/chat/message.ts';
import type { ChatState } from '../../shared/operations/chat/state.ts';
import type { Figures, RunSummary } from '../../shared/run.ts';
import { medium } from '../fixtures/medium.ts';
import { exported, faults, sent } from './chat-fake-conversations.ts';
import { storedMedia } from './chat-fake-main.ts';
import { moveRun, settleAnswer } from './chat-fake-runs.ts';
import {
  addConversation,
  conversations,
  makeMessage,
  makeRun,
  requests,
} from './chat-fake-state.ts';
import { actOn, choice, lastRunId, openChat, resetChat, showExchange } from './chat-fixtures.tsx';
import { pictureFile } from './media-fixtures.ts';

beforeEach(() => resetChat({ listOpen: false }));

it('keeps partial text above the error and retries as a sibling', async () => {
  const { button, message, answer } = await openChat();
  await message.fill('tell me');
  await button('Send').click();
  await expect.element(button('Stop')).toBeVisible();
  const words = 'The gateway limits requests.';
  moveRun(lastRunId(), choice('It began'), {
    status: 'failed',
    finishedAt: Date.now(),
    error: appError('rate-limited', words, 'Wait a moment.', { retryAfterSeconds: 30 }),
  });
  await expect.element(answer).toMatchTextContent(/It began/);
  await expect.element(answer.getByRole('alert')).toMatchTextContent(words);
  await expect.element(answer.getByRole('timer')).toBeVisible();
  await answer.getByRole('button', { name: 'Retry' }).click();
  await expect.element(answer).toMatchTextContent(/2\/2/);
  expect(sent[1]).toMatchObject({ message: null });
  await button('Previous version').click();
  await expect.element(answer).toMatchTextContent(/It began/);
  await expect.element(answer).toMatchTextContent(/1\/2/);
});

it('saves and runs an edit with Ctrl+Enter on either button, and keeps the composer', async () => {
  showExchange('question', { content: 'answer' });
  const { button, message, screen } = await openChat();
  await message.fill('a draft');
  const user = screen.getByRole('article', { name: 'user' });
  for (const [at, name] of ['Save and run', 'Save', 'Cancel'].entries()) {
    await user.getByRole('button', { name: 'Edit' }).click();
    await screen.getByRole('textbox', { name: 'Edit message' }).fill(name);
    button(name).element().focus();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(user).toMatchTextContent(new RegExp(`${at + 2}/${at + 2}${name}`));
    expect(sent.at(-1)?.message?.content).toBe(name);
    settleAnswer(lastRunId(), { content: 'answer' });
    await expect.element(button('Send')).toBeVisible();
  }
  expect(sent).toHaveLength(3);
  await expect.element(message).toHaveValue('a draft');
});

it('deletes a message with the following ones and restores them with Undo', async () => {
  showExchange('question', { content: 'answer' });
  const { screen, answer } = await openChat();
  const user = screen.getByRole('article', { name: 'user' });
  await actOn(user, 'Delete');
  await expect.element(user).not.toBeInTheDocument();
  const bar = screen.getByRole('status').filter({ hasText: '2 messages deleted' });
  await bar.getByRole('button', { name: 'Undo' }).click();
  await expect.element(user).toMatchTextContent(/question/);
  await expect.element(answer).toMatchTextContent(/answer/);
  await expect.element(bar).not.toBeInTheDocument();
});

it('opens the conversation in the URL, and keeps the URL up to date', async () => {
  const first = addConversation([makeMessage({ content: 'First talk' })]);
  const second = addConversation([makeMessage({ content: 'Second talk' })]);
  location.hash = `#/chat/${first.id}`;
  const { screen } = await openChat();
  await expect.element(screen.getByText('First talk')).toBeVisible();
  location.hash = `#/chat/${second.id}`;
  await expect.element(screen.getByText('Second talk')).toBeVisible();
  selectConversation(first.id);
  await expect.poll(() => location.hash).toBe(`#/chat/${first.id}`);
});

describe('the conversation list', () => {
  beforeEach(() => resetChat());

  /** Opens the list with three conversations. */
  async function openList(selected: string | null = null, fields: Partial<Conversation> = {}) {
    const ids = new Map(
      ['Lakes', 'Rivers', 'Seas'].map((title) => [
        title,
        addConversation([], { title, ...fields }).id,
      ]),
    );
    selectConversation(ids.get(selected ?? '') ?? null);
    const { screen, button, message } = await openChat();
    const list = screen.getByRole('navigation', { name: 'Conversations' });
    const row = (name: string) => list.getByRole('button', { name, exact: true });
    const item = (name: string) => screen.getByRole('menuitem', { name, exact: true });
    const box = (name: string) => list.getByRole('checkbox', { name, exact: true });
    await expect.element(row('Seas')).toBeVisible();
    /** Focuses a row and presses keys there. */
    async function press(name: string, keys: string) {
      row(name).element().focus();
      await userEvent.keyboard(keys);
    }
    /** Opens the row's menu by key, and selects items by name. */
    async function take(name: string, ...items: string[]) {
      await press(name, '{Shift>}{F10}{/Shift}');
      for (const each of items) await item(each).click();
    }
    const find = (title: string) => conversations.get(ids.get(title) ?? '');
    return { screen, button, message, list, row, item, box, ids, press, take, find };
  }

  it('pins a conversation by key or right click, and explains a failure', async () => {
    const { screen, list, row, item, take, find } = await openList();
    await take('Seas', 'Pin');
    await expect.element(list.getByRole('heading', { name: 'Pinned' })).toBeVisible();
    expect(list.element().querySelector('[data-row]')?.textContent).toContain('Seas');
    await expect.element(row('Seas')).toHaveFocus();
    await row('Seas').click({ button: 'right' });
    await expect.element(screen.getByRole('menu', { name: 'Conversation actions' })).toBeVisible();
    await item('Unpin').click();
    await expect.element(list.getByRole('heading', { name: 'Pinned' })).not.toBeInTheDocument();
    faults.update = new Error('Disk full');
    await take('Lakes', 'Pin');
    await expect.element(list.getByRole('alert')).toBeVisible();
    expect(find('Lakes')?.pinned).toBe(false);
  });

  it('archives with Undo, exports archived conversations, and opens a copy', async () => {
    const { screen, button, list, row, item, take, find, ids } = await openList();
    await take('Rivers', 'Archive');
    await expect.element(row('Rivers')).not.toBeInTheDocument();
    await expect.element(row('Seas')).toHaveFocus();
    await expect.element(screen.getByText('“Rivers” archived')).toBeVisible();
    const archive = list.getByRole('button', { name: /^Archived/ });
    await archive.click();
    await expect.element(row('Rivers')).toBeVisible();
    await button('Conversation list actions').click();
    await item('Export all').click();
    await item('Markdown (shown branch)').click();
    await expect
      .poll(() => exported.map(({ ids, format }) => [ids.toSorted(), format]))
      .toEqual([[[...ids.values()].toSorted(), 'markdown']]);
    await button('Undo').click();
    await expect.poll(() => find('Rivers')?.archived).toBe(false);
    await expect.element(archive).not.toBeInTheDocument();
    await take('Lakes', 'Export', 'JSONL (OpenAI messages)');
    await expect.poll(() => exported[1]).toEqual({ ids: [ids.get('Lakes')], format: 'jsonl' });
    await take('Lakes', 'Duplicate');
    await expect.element(row('Lakes (copy)')).toHaveAttribute('aria-current', 'true');
  });

  it('focuses a neighbor after a deletion, and the first restored one after Undo', async () => {
    const { screen, list, row, press, message } = await openList('Rivers');
    for (const [name, next] of [
      ['Rivers', 'Seas'],
      ['Seas', 'Lakes'],
    ] as const) {
      await row(name).click();
      await press(name, '{Delete}');
      await expect.element(row(name)).not.toBeInTheDocument();
      await expect.element(row(next)).toHaveFocus();
      // Once a new conversation is open, its message could take focus.
      await expect.element(message).not.toHaveAttribute('readonly');
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      await expect.element(row(next)).toHaveFocus();
    }
    expect([...conversations.values()].map(({ title }) => title)).toEqual(['Lakes']);
    await expect.element(screen.getByText('2 conversations deleted')).toBeVisible();
    await list.getByRole('button', { name: 'Undo' }).click();
    await expect.element(row('Rivers')).toHaveFocus();
    await expect.element(row('Rivers')).toHaveAttribute('aria-current', 'true');
    await expect.element(row('Seas')).toBeVisible();
  });
});

describe('an answer', () => {
  /** Renders a single answer of a conversation, without the chat around it. */

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

  async function storeImage(): Promise<Media> {
    const image = await uploadMedia(await pictureFile(40, 20, 'gate.png'));
    storedMedia.set(image.id, image);
    return image;
  }

  it('shows each part of an answer once and in order', async () => {
    const image = await storeImage();
    const [audioId = '', fileId = ''] = ['S', 'F'].map((letter) => letter.repeat(22));
    const sound = medium({ id: audioId, kind: 'audio', type: 'audio/wav', name: 'gate.wav' });
    const file = medium({ id: fileId, kind: 'file', type: 'text/csv', name: 'a-long-prompt.csv' });
    for (const each of [sound, file]) storedMedia.set(each.id, each);
    const content: Content = [
      { type: 'text', text: 'Here is **the gate**:' },
      { type: 'image_url', image_url: { url: `media:${image.id}` } },
      { type: 'text', text: 'and how it sounds.' },
      { type: 'input_audio', input_audio: { data: `media:${audioId}`, format: 'wav' } },
      { type: 'file', file: { filename: 'counts.csv', file_data: `media:${fileId}` } },
      { type: 'video_url', video_url: { url: 'https://x.example/film.mp4' } },
    ];
    const { answer } = await show({ content }, {}, { media: [image, sound, file] });
    await expect.element(answer.getByRole('img', { name: 'gate.png' })).toBeInTheDocument();
    await expect.element(answer.getByText('counts.csv')).toBeVisible();
    const text = answer.element().textContent;
    expect(text).toMatch(/the gate.*and how it sounds\..*counts\.csv.*x\.example\/film\.mp4/s);
    expect(answer.getByRole('img', { name: 'gate.png' }).elements()).toHaveLength(1);
    expect(text).not.toContain('a-long-prompt.csv');
    expect(answer.getByRole('group', { name: /gate\.wav/ }).elements().length).toBeLessThan(2);
  });

  it('shows parts while it streams, and hides the data of an image until it is stored', async () => {
    const image = await storeImage();
    const { answer, run } = await show({}, {}, { status: 'running' });
    const picture = answer.getByRole('img', { name: 'gate.png' });
    moveRun(run.id, choice(`Here: ![x](data:image/png;base64,iVBORw0KGgo${'A'.repeat(999)}`));
    await expect.element(answer.getByText('Receiving image…')).toBeVisible();
    expect(answer.element().textContent).not.toContain('iVBOR');
    const [stored = expect.fail()] = choice(`Here: ![x](media:${image.id})`).choices;
    moveRun(run.id, { choices: [{ ...stored, storedImages: [image.id] }] }, { media: [image] });
    await expect.element(picture).toBeInTheDocument();
    expect(answer.element().textContent).not.toContain('media:');

    const part = { type: 'image_url' as const, image_url: { url: `media:${image.id}` } };
    moveRun(
      run.id,
      choice([{ type: 'text', text: 'Here: ' }, part, { type: 'text', text: ' and' }]),
    );
    await expect.element(answer).toMatchTextContent(/Here:.*and/s);
    expect(picture.elements()).toHaveLength(1);
  });

  it('shows an error’s details together with the answer’s', async () => {
    const gateway = { status: 503, type: null, code: 'busy', param: null, requestId: 'req_7' };
    const error: AppError = {
      kind: 'gateway',
      message: 'The gateway is busy.',
      nextStep: 'Retry later.',
      detail: null,
      gateway: { ...gateway, message: 'Busy', bodyExcerpt: null },
      retryAfterSeconds: null,
    };
    const ended = { status: 'failed', error, startedAt: 0, finishedAt: 64_000 } as const;
    const { answer } = await show({ content: '' }, choice(''), ended);
    await expect.element(answer.getByText(/^The gateway is busy/)).toBeVisible();
    const details = answer.getByText('Details', { exact: true });
    await expect.poll(() => details.elements().length).toBe(1);
    await details.click();
    const table = answer.getByRole('table', { name: 'Error' });
    await expect.element(table).toHaveTextContent('Status503CodebusyMessageBusyRequest IDreq_7');
  });
});

describe('a structured answer', () => {
  beforeEach(() => resetChat({ listOpen: false }));

  const schema = {
    type: 'object',
    properties: {
      title: { type: 'string' },
      points: { type: 'array', items: { type: 'string' } },
    },
    required: ['title', 'points'],
  };
  const responseFormat = { type: 'json_schema', json_schema: { name: 'a', schema } };

  it('marks each problem of an answer at its value, and jumps there from the list', async () => {
    const points = [...Array.from({ length: 150 }, (_, at) => `Point ${at}`), 7];
    const { answers } = showExchange('Summarize', {
      content: JSON.stringify({ title: null, points }),
    });
    requests.set(answers[0]?.run?.id ?? '', {
      response_format: responseFormat,
    });
    const { screen, button } = await openChat();
    const list = screen.getByRole('list', { name: 'Schema problems' });
    await expect.element(list.getByRole('listitem')).toHaveLength(2);
    const tree = screen.getByRole('tree', { name: 'Answer' });
    await expect
      .element(tree.getByRole('treeitem', { name: /"title"/ }))
      .toMatchTextContent(/Expected "string"/);
    await button('/points/150').click();
    await expect.element(tree).toHaveFocus();
    const reached = () =>
      document.getElementById(tree.element().getAttribute('aria-activedescendant') ?? '');
    await expect.poll(() => reached()?.textContent).toMatch(/^7.*Expected "string"/);
    await button('Collapse all').click();
    await button('Raw').click();
    await button('/points/150').click();
    await expect.poll(() => reached()?.textContent).toMatch(/^7.*Expected "string"/);
    await button('Side by side').click();
    await expect.element(screen.getByText('{"title":null', { exact: false })).toBeVisible();
    await expect.element(tree).toBeVisible();
  });
});
