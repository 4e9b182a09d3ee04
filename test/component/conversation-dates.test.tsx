import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';

import { ConversationNavigation } from '../../renderer/features/chat/conversations/conversation-list.tsx';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { addConversation, resetFakeMain } from './chat-fake-main.ts';
import '../../renderer/ui/base.css';
import '../../renderer/ui/tokens.css';

const lateAtNight = new Date(2026, 10, 21, 23, 59, 30);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: lateAtNight });
  queryClient.clear();
  resetFakeMain();
});
afterEach(() => void vi.useRealTimers());

it('moves conversations to Yesterday after midnight', async () => {
  addConversation([], { title: 'About rivers', updatedAt: lateAtNight.getTime() });
  addConversation([], { title: 'About lakes', updatedAt: new Date(2026, 10, 20, 12).getTime() });
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <div style={{ display: 'flex', height: 400 }}>
        <ConversationNavigation />
      </div>
    </QueryClientProvider>,
  );
  const groups = () =>
    screen
      .getByRole('heading')
      .elements()
      .map(({ textContent }) => textContent);
  await expect.poll(groups).toEqual(['Today', 'Yesterday']);
  vi.advanceTimersByTime(60_000);
  await expect.poll(groups).toEqual(['Yesterday', 'Previous 7 days']);
});
