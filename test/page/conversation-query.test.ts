import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Conversation,
  defaultConversationOptions,
  type TreeMessage,
} from '../../shared/conversation.ts';

type Page = { messages: TreeMessage[]; next: number | null; revision: string };
const main = vi.hoisted(() => ({
  asked: [] as string[],
  get: (_since: string | null): Promise<Conversation> => Promise.reject(new Error('Not asked')),
  page: (_before: number | null): Promise<Page> => Promise.reject(new Error('Not asked')),
}));

vi.mock('../../renderer/lib/api.ts', async () => {
  const { createTanstackQueryUtils } = await import('@orpc/tanstack-query');
  const api = {
    conversations: {
      get({ since }: { since: string | null }) {
        main.asked.push(`get ${since}`);
        return main.get(since);
      },
      messages({ before }: { before: number | null }) {
        main.asked.push(`messages ${before}`);
        return main.page(before);
      },
    },
  };
  return { api, orpc: createTanstackQueryUtils(api as never) };
});

import {
  getCachedConversation,
  getConversationQuery,
  loadWholeConversation,
} from '../../renderer/features/chat/conversation/conversation-query.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { makeMessage } from '../component/chat-fake-state.ts';

beforeEach(() => {
  queryClient.clear();
  main.asked.length = 0;
});

const message = (id: string, content = `text of ${id}`) => makeMessage({ id, content });

function conversation(ids: readonly string[], fields: Partial<Conversation> = {}): Conversation {
  return {
    id: 'c',
    title: 'Talk',
    titled: true,
    createdAt: 0,
    updatedAt: 0,
    messageCount: 5,
    pinned: false,
    archived: false,
    folder: null,
    lastRunStatus: null,
    match: null,
    systemMessage: '',
    activeLeafId: ids.at(-1) ?? null,
    options: defaultConversationOptions,
    messages: ids.map((id) => message(id)),
    complete: false,
    turns: [],
    revision: 'one:0',
    ...fields,
  };
}

/** Watches the conversation as the panel does, and records the message IDs of each update. */
function open() {
  const seen: string[] = [];
  const observer = new QueryObserver(queryClient, getConversationQuery('c'));
  const stop = observer.subscribe(({ data }) => {
    const shown = data?.messages.map(({ id }) => id).join(' ');
    if (shown !== undefined && shown !== seen.at(-1)) seen.push(shown);
  });
  onTestFinished(stop);
  return seen;
}

const refetch = () =>
  queryClient.invalidateQueries({ queryKey: getConversationQuery('c').queryKey });
const known = () => getCachedConversation('c');
const page = (ids: string[], next: number | null, revision = 'one:0'): Page => ({
  messages: ids.map((id) => message(id)),
  next,
  revision,
});

it('shows the end first, then the rest', async () => {
  main.get = async () => conversation(['d', 'e']);
  main.page = async (before) =>
    before === null ? page(['e', 'd', 'c'], 3) : page(['b', 'a'], null);
  const seen = open();
  await expect.poll(() => known()?.complete).toBe(true);
  expect(seen).toEqual(['d e', 'a b c d e']);
  expect(main.asked).toEqual(['get null', 'messages null', 'messages 3']);
});

it('requests only the changes after the first load', async () => {
  const messages = [message('b', 'changed'), message('c')];
  main.get = async (since) =>
    since === null
      ? conversation(['a', 'b'], { complete: true })
      : conversation(['b', 'c'], { messages, revision: 'one:2' });
  const seen = open();
  await expect.poll(known).toBeDefined();
  await refetch();
  expect(seen).toEqual(['a b', 'a b c']);
  expect(known()?.messages[1]?.content).toBe('changed');
  expect(known()).toMatchObject({ complete: true, revision: 'one:2' });
  await refetch();
  expect(main.asked).toEqual(['get null', 'get one:0', 'get one:2']);
});

it('keeps changes that arrive while the rest loads', async () => {
  const newer = { activeLeafId: 'c', messages: [message('b', 'newer')], revision: 'one:1' };
  main.get = async (since) => (since === null ? conversation(['c']) : conversation(['b'], newer));
  const rest = Promise.withResolvers<Page>();
  main.page = () => rest.promise;
  open();
  await expect.poll(known).toBeDefined();
  await refetch();
  rest.resolve(page(['c', 'b', 'a'], null));
  await expect.poll(() => known()?.complete).toBe(true);
  const texts = known()?.messages.map(({ content }) => content);
  expect(texts).toEqual(['text of a', 'newer', 'text of c']);
});

it('keeps showing all messages during a full reload', async () => {
  main.get = async () => conversation(['a', 'b'], { complete: true });
  const seen = open();
  await expect.poll(known).toBeDefined();
  main.get = async () => conversation(['c'], { revision: 'two:0' });
  main.page = async () => page(['c', 'a'], null, 'two:0');
  await refetch();
  expect(seen).toEqual(['a b', 'a c']);
});

it('reloads the conversation if the server’s epoch changed', async () => {
  main.get = async (since) => conversation(['b'], { revision: since === null ? 'one:0' : 'two:0' });
  main.page = async () => page(['b', 'a'], null, 'two:0');
  open();
  await expect.poll(() => known()?.complete).toBe(true);
  expect(main.asked).toEqual(['get null', 'messages null', 'get one:0', 'messages null']);
  expect(known()?.messages.map(({ id }) => id)).toEqual(['a', 'b']);
});

it('refetches the rest after a lost response', async () => {
  main.get = async (since) =>
    conversation(since === null ? ['b'] : [], { activeLeafId: 'b', revision: 'one:0' });
  main.page = () => Promise.reject(new Error('The connection was lost'));
  open();
  await expect.poll(() => main.asked).toContain('messages null');
  main.page = async () => page(['b', 'a'], null);
  await refetch();
  await expect.poll(() => known()?.complete).toBe(true);
});

it('loads a branch that was selected in another window', async () => {
  main.get = async (since) =>
    since === null
      ? conversation(['b'])
      : conversation([], { activeLeafId: 'a', revision: 'one:0' });
  const first = Promise.withResolvers<Page>();
  main.page = () => first.promise;
  const seen = open();
  await expect.poll(known).toBeDefined();
  main.page = async () => page(['b', 'a'], null);
  await refetch();
  expect(known()).toMatchObject({ activeLeafId: 'a', complete: true });
  expect(seen).toEqual(['b', 'a b']);
  first.resolve(page(['b', 'a'], null));
});

it('returns the whole conversation once it has loaded', async () => {
  main.get = async () => conversation(['b']);
  const rest = Promise.withResolvers<Page>();
  main.page = () => rest.promise;
  open();
  await expect.poll(known).toBeDefined();
  const whole = loadWholeConversation(known() ?? conversation([]));
  rest.resolve(page(['b', 'a'], null));
  expect((await whole).messages.map(({ id }) => id)).toEqual(['a', 'b']);
});
