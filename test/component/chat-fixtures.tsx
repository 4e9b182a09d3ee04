import { QueryClientProvider } from '@tanstack/react-query';
import { expect, onTestFinished } from 'vitest';
import { render } from 'vitest-browser-react';
import { useShortcutKeys } from '../../renderer/app/shell-commands.ts';
import { ChatPanel } from '../../renderer/features/chat/chat-panel.tsx';
import {
  listWidths,
  selectConversation,
  useChat,
} from '../../renderer/features/chat/chat-store.ts';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import type { JsonValue } from '../../shared/json.ts';
import { chatChoice } from '../fixtures/chat-choice.ts';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import type { TreeMessage } from '../../shared/conversation.ts';
import {
  addConversation,
  conversations,
  makeMessage,
  makeRun,
  resetFakeMain,
} from './chat-fake-main.ts';
import { resetForms } from './forms-fixtures.ts';

/** A page just opened on a main without conversations. For tests that mock `api.ts` by `chat-fake-main.ts`. */
export function resetChat({ listOpen = true } = {}): void {
  localStorage.clear();
  location.hash = '';
  queryClient.clear();
  resetFakeMain();
  selectConversation(null);
  resetForms();
  useChat.setState({
    ...{ closedFolders: [], archivedOpen: false, checkedIds: null, renamingId: null },
    ...{ folderDialog: null, listProblem: null },
  });
  useChat.setState({ places: {}, sending: false, listOpen, listWidth: listWidths.default });
  useLayout.setState({ sidebarOpen: true });
  useLinkState.setState('open', true);
}

function Shell() {
  useShortcutKeys();
  return (
    <div style={{ height: 820, display: 'flex', flexDirection: 'column' }}>
      <ChatPanel />
    </div>
  );
}

/** The panel in a window of usual height, following main's changes. */
export async function openChat() {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  void followChanges(stop.signal);
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <Shell />
    </QueryClientProvider>,
  );
  const button = (name: string) => screen.getByRole('button', { name, exact: true });
  const message = screen.getByRole('textbox', { name: 'Message', exact: true });
  const answer = screen.getByRole('article', { name: 'assistant' });
  return { screen, button, message, answer };
}

/** The same, once a message can be typed and run. */
export async function openReadyChat() {
  const chat = await openChat();
  await expect.element(chat.message).not.toHaveAttribute('readonly');
  // A model is chosen once the settings and the connections are there.
  await expect.element(chat.screen.getByRole('combobox', { name: 'Model' })).not.toHaveValue('');
  return chat;
}

/** Selects a conversation of a question and its answers, which are choices of one run. */
export function showExchange(content: string, ...answers: Partial<TreeMessage>[]) {
  const question = makeMessage({ content });
  const run = makeRun();
  const nodes = answers.map((answer, choiceIndex) =>
    makeMessage({ parentId: question.id, role: 'assistant', run, choiceIndex, ...answer }),
  );
  const activeLeafId = nodes[0]?.id ?? null;
  const conversation = addConversation([question, ...nodes], { activeLeafId });
  selectConversation(conversation.id);
  return { answers: nodes, conversation };
}

/** The state of a chat run with one choice. */
export function choice(content: JsonValue, more: Parameters<typeof chatChoice>[0] = {}) {
  return { choices: [chatChoice({ content, ...more })] };
}

/** The run of the newest message of the first conversation. */
export function lastRunId(): string {
  const [conversation] = [...conversations.values()];
  return conversation?.messages.at(-1)?.run?.id ?? '';
}

/** A tool that is saved. */
export const weather = {
  id: 'tool-weather',
  tool: { type: 'function' as const, function: { name: 'get_weather', parameters: {} } },
  answer: { by: 'you' as const },
  createdAt: 0,
};
