/** What the first screen of a chat offers: messages that run at once, with the options they need. */
import {
  type ConversationOptions,
  defaultConversationOptions,
} from '../../../shared/conversation-options.ts';
import type { SavedTool } from '../../../shared/tool.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { showAtOnce } from '../../lib/query-client.ts';
import type { Example } from '../../ui/example-list.tsx';
import { type ReadyRequest, sendExample } from './chat-actions.ts';
import { useChat } from './chat-store.ts';
import { exampleTool, recipeFormat } from './options/option-examples.ts';
import { requestOptions } from './options/request-options.ts';

const story = 'Tell me a short story about a lighthouse, with a list and a table.';
const weather = 'What is the weather in Oslo now?';
const recipe = 'Give me a recipe for pancakes.';

/** `ready` without the options of a conversation; null while nothing can run. */
export function chatExamples(
  ready: ReadyRequest | null,
  tools: readonly SavedTool[],
): readonly Example[] {
  const send = (text: string, options: ConversationOptions, known = tools) => {
    if (ready === null) return;
    const request = { ...ready.request, ...requestOptions(options, known) };
    void sendExample({ ...ready, request }, { role: 'user', content: text }, options);
  };
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
        weatherTool(tools).then(
          (tool) => send(weather, { ...defaultConversationOptions, toolIds: [tool.id] }, [tool]),
          (error: unknown) => useChat.setState({ problem: toAppError(error) }),
        );
      },
    },
    {
      title: 'Answer in JSON',
      detail: `“${recipe}” with a JSON schema`,
      onRun: () => send(recipe, { ...defaultConversationOptions, responseFormat: recipeFormat }),
    },
  ];
}

/** The saved one of that name, or else a new one. */
async function weatherTool(tools: readonly SavedTool[]): Promise<SavedTool> {
  const { name } = exampleTool.function;
  const known = tools.find(({ tool }) => tool.function.name === name);
  if (known !== undefined) return known;
  savingTool ??= saveTool().finally(() => {
    savingTool = null;
  });
  return savingTool;
}

/** On its way: a second press waits for the same. */
let savingTool: Promise<SavedTool> | null = null;

async function saveTool(): Promise<SavedTool> {
  const saved = await api.tools.save({ id: null, tool: exampleTool });
  showAtOnce<SavedTool[]>(orpc.tools.list.key(), (listed) => [...listed, saved]);
  return saved;
}
