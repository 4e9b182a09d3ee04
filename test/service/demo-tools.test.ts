import { describe, expect, it } from 'vitest';
import { shareClient, user } from './demo-gateway-client.ts';

const client = await shareClient();

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Current weather of a city',
    parameters: {
      type: 'object',
      required: ['city', 'unit'],
      properties: {
        city: { type: 'string' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        days: { type: 'integer', minimum: 1, maximum: 7 },
      },
    },
  },
};
const clock = { type: 'function', function: { name: 'get_time' } };
const question = [user('What is the weather in Paris for 3 days?')];

describe('demo tools', () => {
  it.each(['demo-story', 'demo-story-fast', 'demo-echo', 'demo-think', 'demo-tools'])(
    '%s calls an offered tool with arguments that fit its schema',
    async (model) => {
      for (const choice of [undefined, 'auto', 'required']) {
        const { body } = await client.chat({
          model,
          messages: question,
          tools: [weather],
          ...(choice && { tool_choice: choice }),
        });
        expect(body.choices[0]).toMatchObject({
          finish_reason: 'tool_calls',
          message: { role: 'assistant', content: null },
        });
        const [call, ...others] = body.choices[0].message.tool_calls;
        expect(others).toEqual([]);
        expect(call).toMatchObject({ type: 'function', function: { name: 'get_weather' } });
        expect(JSON.parse(call.function.arguments)).toEqual({
          city: 'Paris',
          unit: 'celsius',
          days: 3,
        });
      }
    },
  );

  it('streams several calls as chunks keyed by index', async () => {
    const { chunks } = await client.frames('/v1/chat/completions', {
      model: 'demo-tools',
      messages: question,
      tools: [weather, clock],
    });
    const deltas = chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
    const heads = deltas.filter((delta) => delta.id !== undefined);
    expect(heads.map(({ index, function: called }) => [index, called.name])).toEqual([
      [0, 'get_weather'],
      [1, 'get_time'],
    ]);
    const joined = (index: number) =>
      deltas.flatMap((delta) => (delta.index === index ? delta.function.arguments : [])).join('');
    expect(deltas.filter(({ index }) => index === 0).length).toBeGreaterThan(4);
    expect(JSON.parse(joined(0))).toMatchObject({ city: 'Paris' });
    expect(JSON.parse(joined(1))).toEqual({});
    expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
  });

  it('calls the named tool, or none if tool_choice is none', async () => {
    const tools = [weather, clock];
    const named = await client.chat({
      model: 'demo-tools',
      messages: question,
      tools,
      tool_choice: { type: 'function', function: { name: 'get_time' } },
    });
    expect(named.body.choices[0].message.tool_calls).toMatchObject([
      { function: { name: 'get_time' } },
    ]);
    const none = await client.chat({
      model: 'demo-tools',
      messages: question,
      tools,
      tool_choice: 'none',
    });
    expect(none.body.choices[0].finish_reason).toBe('stop');
    expect(none.body.choices[0].message.tool_calls).toBeUndefined();
  });

  it.each(['auto', 'required'])(
    'answers with text after tool results, under %s',
    async (choice) => {
      const { body } = await client.chat({
        model: 'demo-tools',
        tools: [weather],
        tool_choice: choice,
        messages: [
          ...question,
          {
            role: 'assistant',
            tool_calls: [
              {
                id: 'call_1',
                type: 'function',
                function: { name: 'get_weather', arguments: '{}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'call_1', content: '{"sky":"clear"}' },
        ],
      });
      expect(body.choices[0].finish_reason).toBe('stop');
      expect(body.choices[0].message.content).toContain(
        '**get_weather** returned: {"sky":"clear"}',
      );
    },
  );
});
