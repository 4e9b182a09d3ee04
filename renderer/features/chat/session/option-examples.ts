import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import type { Tool, ToolCall } from '../../../../shared/operations/chat/message.ts';
import { parseJson } from '../../../../shared/parse-json.ts';

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

/** Returns a result for a call of the example tool; null for any other call. */
export function getExampleResult({ function: called }: ToolCall): string | null {
  if (called.name !== exampleTool.function.name) return null;
  const sent = parseJson(called.arguments);
  if (!isJsonObject(sent) || typeof sent.place !== 'string') return null;
  const { place } = sent;
  return JSON.stringify({ place, temperature: 14, unit: 'celsius', conditions: 'light rain' });
}

/** Appends a number if a saved tool already has the name: `get_weather`, `get_weather_2`, … */
export function createTool(takenNames: readonly string[]): Tool {
  const { name } = exampleTool.function;
  let freeName = name;
  for (let number = 2; takenNames.includes(freeName); number += 1) freeName = `${name}_${number}`;
  return { ...exampleTool, function: { ...exampleTool.function, name: freeName } };
}

export const exampleSchema: JsonObject = {
  name: 'answer',
  strict: true,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      points: { type: 'array', items: { type: 'string' } },
    },
    required: ['title', 'points'],
    additionalProperties: false,
  },
};
