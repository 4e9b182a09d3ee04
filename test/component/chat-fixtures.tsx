import { QueryClientProvider } from '@tanstack/react-query';
import { expect, onTestFinished } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useShortcutKeys } from '../../renderer/app/shell-commands.ts';
import { ChatPanel } from '../../renderer/features/chat/chat-panel.tsx';
import {
  listWidths,
  selectConversation,
  useChat,
} from '../../renderer/features/chat/conversation/chat-store.ts';
import { followChanges } from '../../renderer/lib/change-feed.ts';
import { useLayout } from '../../renderer/lib/layout.ts';
import { useLinkState } from '../../renderer/lib/link-state.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import type { JsonValue } from '../../shared/json.ts';
import { chatChoice } from '../fixtures/chat-choice.ts';
import '../../renderer/ui/tokens.css';
import '../../renderer/ui/base.css';
import type { TreeMessage } from '../../shared/conversation.ts';
import { resetFakeMain } from './chat-fake-main.ts';
import { addConversation, conversations, makeMessage, makeRun } from './chat-fake-state.ts';
import { resetForms } from './forms-fixtures.ts';

/** Resets the page and the fake main process, which then has no conversations. */
export function resetChat({ listOpen = true } = {}): void {
  localStorage.clear();
  location.hash = '';
  queryClient.clear();
  resetFakeMain();
  selectConversation(null);
  resetForms();
  useChat.setState({
    closedFolders: [],
    archivedOpen: false,
    checkedIds: null,
    renamingId: null,
    folderDialog: null,
    listProblem: null,
  });
  useChat.setState({ places: {}, sending: false, listOpen, listWidth: listWidths.default });
  useChat.setState({ optionsOpen: false, openSteps: [] });
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

/** Opens the panel in a window of the usual height, and follows changes. */
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
  /** Chooses from the menu in the composer. */
  async function add(item: string): Promise<void> {
    await button('Add').click();
    await screen.getByRole('menuitem', { name: item }).click();
  }
  return { screen, button, message, answer, add };
}

/** Chooses from the menu of a message. */
export async function actOn(message: Locator, item: string): Promise<void> {
  await message.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Opens the panel, and waits until a message can be sent. */
export async function openReadyChat() {
  const chat = await openChat();
  await expect.element(chat.message).not.toHaveAttribute('readonly');
  // The page selects a model once settings and connections have loaded.
  await expect.element(chat.screen.getByRole('combobox', { name: 'Model' })).not.toHaveValue('');
  return chat;
}

/** Adds and selects a conversation with one question; `answers` are the choices of its run. */
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

/** Returns the state of a chat run with one choice. */
export function choice(content: JsonValue, more: Parameters<typeof chatChoice>[0] = {}) {
  return { choices: [chatChoice({ content, ...more })] };
}

/** Returns the ID of the latest run in the first conversation. */
export function lastRunId(): string {
  const [conversation] = [...conversations.values()];
  return conversation?.messages.at(-1)?.run?.id ?? '';
}

/** A saved tool. */
export const weather = {
  id: 'tool-weather',
  tool: { type: 'function' as const, function: { name: 'get_weather', parameters: {} } },
  answer: { by: 'you' as const },
  createdAt: 0,
};
