import {
  type ConversationOptions,
  defaultConversationOptions,
} from '../../../shared/conversation.ts';
import type { SavedTool } from '../../../shared/saved-items.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { updateOptimistically } from '../../lib/query-client.ts';
import type { Example } from '../../ui/example-list.tsx';
import { useChat } from './conversation/chat-store.ts';
import type { SendExample } from './session/chat-session.ts';
import { exampleTool } from './session/option-examples.ts';

const story = 'Tell me a short story about a lighthouse, with a list and a table.';
const weather = 'What is the weather in Oslo now?';

export function createChatExamples(
  sendExample: SendExample,
  tools: readonly SavedTool[],
): readonly Example[] {
  const send = (text: string, options: ConversationOptions, known = tools) =>
    sendExample({ role: 'user', content: text }, options, known);
  return [
    {
      title: 'Tell a story',
      detail: `“${story}”`,
      onRun: () => send(story, defaultConversationOptions),
    },
    {
      title: 'Call a tool',
      detail: `“${weather}” with get_weather on`,
      onRun: () => {
        ensureWeatherTool(tools).then(
          (tool) => send(weather, { ...defaultConversationOptions, toolIds: [tool.id] }, [tool]),
          (error: unknown) => useChat.setState({ problem: toAppError(error) }),
        );
      },
    },
  ];
}

/** Saves the example's tool unless a tool with the same name already exists. */
async function ensureWeatherTool(tools: readonly SavedTool[]): Promise<SavedTool> {
  const { name } = exampleTool.function;
  const known = tools.find(({ tool }) => tool.function.name === name);
  if (known !== undefined) return known;
  savingTool ??= saveTool().finally(() => {
    savingTool = null;
  });
  return savingTool;
}

/** Clicks made while the tool is being saved share one request. */
let savingTool: Promise<SavedTool> | null = null;

async function saveTool(): Promise<SavedTool> {
  const saved = await api.saved.tools.save({ id: null, tool: exampleTool });
  updateOptimistically<SavedTool[]>(orpc.saved.tools.list.key(), (listed) => [...listed, saved]);
  return saved;
}
