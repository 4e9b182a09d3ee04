/** What the first screen of a chat offers: messages that run at once, with the options they need. */
import {
  type ConversationOptions,
  defaultConversationOptions,
} from '../../../shared/conversation-options.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Tool } from '../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../shared/tool.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { showAtOnce } from '../../lib/query-client.ts';
import type { Example } from '../../ui/example-list.tsx';
import { type ReadyRequest, sendExample } from './chat-actions.ts';
import { useChat } from './chat-store.ts';
import { requestOptions } from './options/request-options.ts';

/** What a new tool begins with. */
export const exampleTool: Tool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the current weather for a place.',
    parameters: {
      type: 'object',
      properties: {
        place: { type: 'string', description: 'City and country, such as Oslo, Norway.' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      },
      required: ['place'],
    },
  },
};

const schema: JsonObject = {
  type: 'json_schema',
  json_schema: {
    name: 'recipe',
    strict: true,
    schema: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        minutes: { type: 'integer' },
        ingredients: { type: 'array', items: { type: 'string' } },
        steps: { type: 'array', items: { type: 'string' } },
      },
      required: ['title', 'minutes', 'ingredients', 'steps'],
      additionalProperties: false,
    },
  },
};

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
      onRun: () => send(recipe, { ...defaultConversationOptions, responseFormat: schema }),
    },
  ];
}

/** The saved one of that name, or else a new one. */
async function weatherTool(tools: readonly SavedTool[]): Promise<SavedTool> {
  const { name } = exampleTool.function;
  const known = tools.find(({ tool }) => tool.function.name === name);
  if (known !== undefined) return known;
  const saved = await api.tools.save({ id: null, tool: exampleTool });
  showAtOnce<SavedTool[]>(orpc.tools.list.key(), (listed) => [...listed, saved]);
  return saved;
}
