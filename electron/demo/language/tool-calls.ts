/** Whether and which tools a simulated model calls, and with what arguments. */
import type { JsonValue } from '../../../shared/json.ts';
import type { Tool } from '../../../shared/operations/chat/message.ts';
import type { ChatRequest } from '../../../shared/operations/chat/request.ts';
import { getText } from '../../../shared/operations/chat/text.ts';
import { invalidRequest } from '../http/failure.ts';
import { type LanguageModel, lastUserText, pendingToolResults, shorten } from './answer.ts';
import { jsonFromSchema } from './json-from-schema.ts';
import type { Hints } from './schema-values.ts';

export interface CallPlan {
  name: string;
  arguments: JsonValue;
}

/** Empty when the answer is to be in words: no tools, `none`, or the results have come. */
export function planCalls(request: ChatRequest, model: LanguageModel): CallPlan[] {
  const tools = toolsToCall(request, model);
  if (pendingToolResults(request.messages).length > 0) return [];
  const hints = findHints(lastUserText(request.messages));
  return tools.map(({ function: { name, parameters } }) => ({
    name,
    arguments: jsonFromSchema({ type: 'object', ...parameters }, hints),
  }));
}

function toolsToCall(
  { tools = [], tool_choice: choice, messages }: ChatRequest,
  model: LanguageModel,
) {
  if (choice === 'none') return [];
  if (typeof choice === 'object') {
    const named = tools.find((tool) => tool.function.name === choice.function.name);
    if (named === undefined) {
      throw invalidRequest(
        `tool_choice: No tool is named ${JSON.stringify(choice.function.name)}.`,
        'tool_choice',
      );
    }
    return [named];
  }
  if (tools.length === 0 && choice === 'required') {
    throw invalidRequest('tool_choice: "required" needs tools.', 'tool_choice');
  }
  return model.callsAllTools ? tools : mostFitting(tools, lastUserText(messages));
}

/** The one tool whose name and description share most words with the question. */
function mostFitting(tools: Tool[], question: string): Tool[] {
  const questionWords = new Set(getWords(question));
  const scored = tools.map((tool) => {
    const { name, description = '' } = tool.function;
    return {
      tool,
      score: new Set(getWords(`${name} ${description}`).filter((word) => questionWords.has(word)))
        .size,
    };
  });
  const best = scored.reduce<(typeof scored)[number] | null>(
    (leader, next) => (leader === null || next.score > leader.score ? next : leader),
    null,
  );
  return best === null ? [] : [best.tool];
}

function getWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

/** Quoted texts and names (capital letter inside a sentence) become text arguments. */
export function findHints(question: string): Hints {
  const quoted = [...question.matchAll(/["“']([^"”']{1,80})["”']/g)].map((match) => match[1] ?? '');
  const names = [...question.matchAll(/(?<=[\p{Ll},;] )\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*/gu)];
  return {
    words: quoted.length > 0 ? quoted : names.map(([name]) => name),
    numbers: [...question.matchAll(/(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?![\w])/g)].map(Number),
  };
}

/** The answer in words once the tools have answered; null when there is nothing to sum up. */
export function summarizeToolResults({ messages }: Pick<ChatRequest, 'messages'>): string | null {
  const results = pendingToolResults(messages);
  if (results.length === 0) return null;
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const lines = results.map((result) => {
    const call = calls.findLast(({ id }) => id === result.tool_call_id);
    const name = call?.function.name ?? result.name ?? 'the tool';
    return `- **${name}** returned: ${shorten(getText(result.content), 400)}`;
  });
  const question = shorten(lastUserText(messages), 120);
  return [
    `You wrote: “${question}”. ${results.length === 1 ? 'The tool' : 'The tools'} returned:`,
    '',
    ...lines,
    '',
    'That is all I need. (A simulated model wrote this from the tool results above.)',
  ].join('\n');
}
