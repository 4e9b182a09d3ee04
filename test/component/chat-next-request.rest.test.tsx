import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { render } from 'vitest-browser-react';
import { InspectorDrawer } from '../../renderer/app/inspector-drawer.tsx';
import { rememberScrollPlace } from '../../renderer/features/chat/conversation/chat-store.ts';
import { selectInspectedRun, setInspectorTab, useLayout } from '../../renderer/lib/layout.ts';
import { queryClient } from '../../renderer/lib/query-client.ts';
import { previewed, sent } from './chat-fake-conversations.ts';
import { listedRuns } from './chat-fake-runs.ts';
import { conversations, makeMessage, makeRun } from './chat-fake-state.ts';
import { openReadyChat, resetChat, showExchange } from './chat-fixtures.tsx';

beforeEach(() => {
  resetChat({ listOpen: false });
  selectInspectedRun(null);
  setInspectorTab('request');
  useLayout.setState({ inspectorOpen: false });
});

const missing = 'Your next message will be added at the end.';

function Drawer() {
  return useLayout((layout) => layout.inspectorOpen) && <InspectorDrawer />;
}

async function openChatWithInspector() {
  const chat = await openReadyChat();
  const drawer = await render(
    <QueryClientProvider client={queryClient}>
      <Drawer />
    </QueryClientProvider>,
  );
  onTestFinished(() => drawer.unmount());
  const inspector = drawer.getByRole('region', { name: 'Inspector', exact: true });
  return { ...chat, inspector, body: inspector.getByRole('tree', { name: 'Request' }) };
}

it('previews the next request with draft and provider fields, or explains why there is none', async () => {
  const { screen, button, message, inspector, body } = await openChatWithInspector();
  await button('Inspector').click();
  await expect.element(inspector.getByText('Enter a message first.')).toBeVisible();
  await message.fill('Hello');
  await expect.element(body).toMatchTextContent(/"role": "user".*"content": "Hello"/s);

  showExchange('News?', { content: 'Rain.', reasoning: 'Looked out.' });
  await button('This conversation').click();
  await button('Show next request').click();
  await expect.element(body).toMatchTextContent(/"model": "demo-echo".*"messages".*Rain\./s);
  await expect.element(inspector.getByText('Includes no provider fields.')).toBeVisible();
  await expect.element(inspector.getByText(missing)).toBeVisible();
  await message.fill('Thanks');
  await expect.element(body).toMatchTextContent(/Rain\..*"Thanks"/s);
  await expect.element(inspector.getByText(missing)).not.toBeInTheDocument();
  const count = inspector.getByRole('button', { name: 'Count tokens' });
  await count.click();
  await expect.element(inspector.getByText(/^\d+ input tokens, counted$/)).toBeVisible();
  await expect.element(count).not.toBeInTheDocument();
  await message.fill('Thank you');
  await expect.element(count).toBeVisible();
  await message.fill('Thanks');
  await expect.element(body).toMatchTextContent(/Rain\..*"Thanks"/s);

  await screen.getByRole('combobox', { name: 'Reasoning in history' }).selectOptions('Always');
  await expect.element(body).toMatchTextContent(/"reasoning_content": "Looked out\."/);
  await expect.element(inspector.getByText('Includes reasoning of 1 answer.')).toBeVisible();
  expect(previewed.at(-1)).toMatchObject({ providerFields: 'always' });
  await inspector.getByRole('tab', { name: 'Code' }).click();
  const code = inspector.getByRole('region', { name: 'Code text' });
  await expect.element(code).toMatchTextContent(/curl .*"content": "Thanks"/s);
  expect(sent).toEqual([]);
});

it('opens on the run of the visible answer, and switches to a new run once sent', async () => {
  const { conversation } = showExchange('News?', { content: 'Rain.' });
  const [first, last] = conversation.messages;
  if (last?.run) Object.assign(last.run, { model: 'first-model' });
  const second = makeMessage({
    parentId: last?.id ?? null,
    role: 'assistant',
    content: 'Sun.',
    run: makeRun({ model: 'second-model' }),
  });
  conversation.messages.push(second);
  conversation.activeLeafId = second.id;
  listedRuns.push(makeRun({ model: 'other-model' }));
  const { button, message, inspector } = await openChatWithInspector();
  const shown = inspector.getByRole('option', { selected: true });
  const reopen = async () => {
    await button('Inspector').click();
    await button('Inspector').click();
  };
  await button('Inspector').click();
  await expect.element(shown).toMatchTextContent(/second-model/);
  await inspector.getByRole('option', { name: /other-model/ }).click();
  await expect.element(shown).toMatchTextContent(/other-model/);
  await reopen();
  await expect.element(shown).toMatchTextContent(/second-model/);
  // Act as if the user had scrolled to the first message.
  rememberScrollPlace(conversation.id, { messageId: first?.id ?? '', offset: 0 });
  await reopen();
  await expect.element(shown).toMatchTextContent(/first-model/);

  const next = inspector.getByRole('button', { name: /^Next request/ });
  await next.click();
  await expect.element(next).toHaveAttribute('aria-pressed', 'true');
  await message.fill('Thanks');
  await button('Send').click();
  await expect.element(next).toHaveAttribute('aria-pressed', 'false');
  expect([...conversations.values()][0]?.messages).toHaveLength(5);
});
