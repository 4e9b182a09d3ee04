import { describe, expect, it } from 'vitest';
import { parseJson } from '../../shared/parse-json.ts';
import { readTools } from '../../shared/pasted/read-tools.ts';

const parameters = { type: 'object', properties: { place: { type: 'string' } } };
const fields = { name: 'get_weather', description: 'Weather for a place.' };
const tool = { type: 'function', function: { ...fields, parameters } };
const read = { kind: 'tools', tools: [{ name: 'get_weather', tool }] };

const upper = { ...parameters, type: 'OBJECT' };
const offered = { ...fields, title: 'W', inputSchema: parameters };

describe('readTools', () => {
  it.each([
    ['a list for Chat Completions', [tool]],
    ['one tool', tool],
    ['a list for Responses', [{ type: 'function', ...fields, parameters }]],
    ['a list for Messages', [{ ...fields, input_schema: parameters, cache_control: { a: 1 } }]],
    ['a custom tool for Messages', [{ type: 'custom', ...fields, input_schema: parameters }]],
    ['a body', { model: 'm', messages: [], tools: [tool] }],
    ['functions without a type', [{ ...fields, parameters }]],
    ['Gemini’s tools', { tools: [{ functionDeclarations: [{ ...fields, parameters: upper }] }] }],
    ['the tools of an MCP server', { jsonrpc: '2.0', id: 1, result: { tools: [offered] } }],
  ])('reads %s', (_, value) => {
    expect(readTools(JSON.stringify(value, null, 2))).toEqual(read);
  });

  it('reads the tools of a curl command', () => {
    const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [], tools: [tool] });
    const command = `curl https://api.example.com/v1/chat/completions \\\n  -H 'Authorization: Bearer sk-secret' \\\n  -d '${body}'`;
    expect(readTools(command)).toEqual(read);
  });

  it('keeps the strict flag and every digit of a number', () => {
    const text = `[{"type":"function","name":"f","strict":true,"parameters":{"maximum":9007199254740993}}]`;
    const result = readTools(text);
    const expected = parseJson('{"maximum":9007199254740993}');
    const kept = { function: { name: 'f', strict: true, parameters: expected } };
    expect(result).toMatchObject({ kind: 'tools', tools: [{ tool: kept }] });
  });

  it.each([
    ['a provider’s own tool', { type: 'web_search_20250305', name: 'web_search' }, 'web_search'],
    ['a tool without a name', { type: 'function', function: { parameters } }, 'function'],
    ['a custom tool with a grammar', { type: 'custom', custom: { name: 'sql' } }, 'custom'],
    ['a number', 7, 'Tool 2'],
  ])('names the problem with %s and reads the others', (_, item, name) => {
    expect(readTools(JSON.stringify([tool, item]))).toEqual({
      kind: 'tools',
      tools: [read.tools[0], { name, problem: expect.any(String) }],
    });
  });

  it('rejects a second tool with the same name', () => {
    const refused = { name: 'get_weather', problem: expect.stringMatching('earlier tool') };
    const tools = [...read.tools, refused];
    expect(readTools(JSON.stringify([tool, tool]))).toMatchObject({ tools });
  });

  it.each([
    ['[{"type":', 'The text isn’t valid JSON.'],
    ['[]', 'The list of tools is empty.'],
    [`[${'{},'.repeat(1000)}{}]`, 'The text has 1,001 tools. The limit is 1,000.'],
    ['{"a": 1}', /^No tools found/],
    ['Please call a tool', /^No tools found/],
    [`curl https://a.example/v1/chat/completions -d '{"model":"m","messages":[]}'`, /has no tools/],
  ])('explains why text %# has no tools', (text, message) => {
    expect(readTools(text)).toEqual({ kind: 'problem', message: expect.stringMatching(message) });
  });
});
