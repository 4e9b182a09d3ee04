import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import {
  rememberScrollPlace,
  selectConversation,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import {
  getCachedConversation,
  getEarlierMessagesQuery,
} from '../../renderer/features/chat/conversation/conversation-query.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { holdRest } from './chat-fake-conversations.ts';
import { addConversation, makeMessage } from './chat-fake-state.ts';
import { openChat, resetChat } from './chat-fixtures.tsx';

beforeEach(() => resetChat({ listOpen: false }));

function addLong() {
  const messages = [makeMessage({ content: 'Message 0' })];
  for (let index = 1; index < 150; index += 1) {
    messages.push(
      makeMessage({ parentId: messages.at(-1)?.id ?? null, content: `Message ${index}` }),
    );
  }
  return addConversation(messages);
}

it('shows the end of a long conversation before the rest has loaded', async () => {
  const rest = holdRest();
  selectConversation(addLong().id);
  const { screen } = await openChat();
  const last = screen.getByText('Message 149', { exact: true });
  await expect.element(last).toBeInViewport();
  const log = screen.getByRole('log').element();
  const heightBefore = log.scrollHeight;
  await expect.element(screen.getByText('Loading earlier messages…')).toBeVisible();
  rest.resolve();
  await expect.poll(() => log.scrollHeight).toBeGreaterThan(heightBefore * 2);
  expect(screen.getByText('Loading earlier messages…').query()).toBeNull();
  await expect.element(last).toBeInViewport();
  await expect.poll(() => log.scrollHeight - log.clientHeight - log.scrollTop).toBeLessThan(2);
  // Only messages near the viewport are mounted.
  await expect.poll(() => log.querySelectorAll('article').length).toBeLessThan(40);
});

it('reports that the rest failed to load until a retry succeeds', async () => {
  const lost = holdRest();
  const { id } = addLong();
  selectConversation(id);
  const { screen, button } = await openChat();
  const loading = screen.getByText('Loading earlier messages…');
  const alert = screen.getByRole('alert');
  await expect.element(loading).toBeInTheDocument();
  await lost.requested;
  const again = holdRest();
  lost.reject(new Error('The connection was lost'));
  await expect.element(alert).toMatchTextContent('Couldn’t load earlier messages.');
  expect(loading.query()).toBeNull();

  // After a change, the rest of the conversation reloads in the background.
  const shown = alert.element();
  void queryClient.prefetchQuery(getEarlierMessagesQuery(getCachedConversation(id) ?? null));
  await expect.poll(() => queryClient.isFetching({ queryKey: ['earlier messages'] })).toBe(1);
  expect(loading.query()).toBeNull();
  expect(alert.element()).toBe(shown);
  await again.requested;
  const rest = holdRest();
  again.reject(new Error('The connection was lost'));
  await expect.poll(() => queryClient.isFetching({ queryKey: ['earlier messages'] })).toBe(0);

  await button('Try again').click();
  await expect.element(loading).toBeInTheDocument();
  rest.resolve();
  await expect.element(loading).not.toBeInTheDocument();
  await expect.element(alert).not.toBeInTheDocument();
});

it('keeps the scroll position when the rest loads', async () => {
  const rest = holdRest();
  selectConversation(addLong().id);
  const { screen } = await openChat();
  await expect.element(screen.getByText('Message 149', { exact: true })).toBeInViewport();
  const log = screen.getByRole('log').element();
  // The log notices in the next frame that it is at the end.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  // Scrolling counts as the user's only within a second of the wheel.
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
  log.dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: -400 }));
  log.scrollTop -= 400;
  await expect.element(screen.getByRole('button', { name: 'Jump to end' })).toBeVisible();
  clock.mockRestore();
  const read = screen.getByText('Message 140', { exact: true });
  await expect.element(read).toBeInViewport();
  const top = read.element().getBoundingClientRect().top;
  const heightBefore = log.scrollHeight;
  rest.resolve();
  await expect.poll(() => log.scrollHeight).toBeGreaterThan(heightBefore * 2);
  await expect
    .poll(() => Math.abs(read.element().getBoundingClientRect().top - top))
    .toBeLessThan(3);
});

it('waits for the rest if the user had scrolled up', async () => {
  const rest = holdRest();
  const { id, messages } = addLong();
  rememberScrollPlace(id, { messageId: messages[100]?.id ?? '', offset: 0 });
  selectConversation(id);
  const { screen } = await openChat();
  await expect.element(screen.getByLabelText('Loading conversation')).toBeInTheDocument();
  rest.resolve();
  await expect.element(screen.getByText('Message 100', { exact: true })).toBeInViewport();
});

it('mounts each of the last messages only once', async () => {
  const lines = 'A line of its own.\n\n'.repeat(12);
  const messages = [makeMessage({ content: 'Message 0' })];
  for (let index = 1; index < 60; index += 1) {
    const content = `Message ${index}.\n\n${lines}`;
    messages.push(makeMessage({ parentId: messages.at(-1)?.id ?? null, content }));
  }
  selectConversation(addConversation(messages).id);
  const mounted: string[] = [];
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        // Articles inside an added container count too.
        const inside = [...node.querySelectorAll('article')];
        for (const article of node.matches('article') ? [node] : inside) {
          mounted.push(/Message \d+/.exec(article.textContent ?? '')?.[0] ?? '');
        }
      }
    }
  });
  observer.observe(document.body, { subtree: true, childList: true });
  const { screen } = await openChat();
  await expect.element(screen.getByText(/Message 59\./)).toBeVisible();
  const log = screen.getByRole('log').element();
  await expect.poll(() => log.querySelectorAll('article').length).toBeGreaterThan(2);
  await expect.poll(() => log.scrollHeight - log.clientHeight - log.scrollTop).toBeLessThan(2);
  observer.disconnect();
  expect(mounted.filter((name) => name === 'Message 59')).toHaveLength(1);
  expect(mounted.filter((name) => name === 'Message 57')).toHaveLength(1);
});
