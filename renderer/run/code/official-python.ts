import { writeLiteral } from './literals.ts';
import type { OfficialCall, OfficialValue } from './official-request.ts';
import { pythonBase64, writePythonFile, writePythonSource, writePythonText } from './python.ts';

const classes = { openai: 'OpenAI', anthropic: 'Anthropic' } as const;

/** Returns a script that calls the official client of OpenAI or Anthropic. */
export function getOfficialPython(call: OfficialCall): string {
  const { client, method, response, variables } = call;
  const options = getOptions(call);
  const args = getArguments(call);
  const readsBase64 = args.some((arg) => arg.includes('read_base64('));
  const className = classes[client];
  const omits = [...options, ...args].some((line) => /: Omit\(\)[,}]/.test(line));
  const modules = [
    readsBase64 ? 'import base64' : null,
    variables.length > 0 ? 'import os' : null,
  ].filter((line) => line !== null);
  const parts = [
    modules.join('\n'),
    `from ${client} import ${omits ? 'Omit, ' : ''}${className}`,
    readsBase64 ? `\n${pythonBase64}\n` : '',
    [`client = ${className}(`, ...options, ')'].join('\n'),
    writeCall(response, method, args),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function getOptions({ client, baseUrl, bearer, headers, query }: OfficialCall): string[] {
  const key = bearer === null ? null : `os.environ["${bearer}"]`;
  const apiKey = client === 'anthropic' ? headers.find(([name]) => isApiKey(name)) : undefined;
  const given = headers
    .filter((header) => header !== apiKey)
    .map(([name, value]) => `        ${writeLiteral(name)}: ${writePythonText(value)},`);
  // The client doesn't send requests without a key unless its header is omitted on purpose.
  if (client === 'anthropic' && key === null && apiKey === undefined) {
    given.push('        "X-Api-Key": Omit(),');
  }
  const keyOption =
    client === 'openai'
      ? `    api_key=${key ?? '"unused"'},`
      : key !== null
        ? `    auth_token=${key},`
        : apiKey !== undefined
          ? `    api_key=${writePythonText(apiKey[1])},`
          : null;
  return [
    `    base_url=${writeLiteral(baseUrl)},`,
    ...(keyOption === null ? [] : [keyOption]),
    ...(given.length > 0 ? ['    default_headers={', ...given, '    },'] : []),
    ...(query.length > 0
      ? [
          '    default_query={',
          ...query.map(
            ([name, value]) => `        ${writeLiteral(name)}: ${writePythonText(value)},`,
          ),
          '    },',
        ]
      : []),
  ];
}

/** Returns true if requests must omit the key, because the OpenAI client itself needs one. */
function omitsKey({ client, bearer, headers }: OfficialCall): boolean {
  const sendsOther = headers.some(([name]) => name.toLowerCase() === 'authorization');
  return client === 'openai' && bearer === null && !sendsOther;
}

const isApiKey = (name: string) => name.toLowerCase() === 'x-api-key';

function getArguments(call: OfficialCall): string[] {
  const { args } = call;
  const known = args
    .filter(({ isKnown }) => isKnown)
    .map(({ name, value }) => `    ${name}=${writeValue(value, '    ')},`);
  const others = args
    .filter(({ isKnown }) => !isKnown)
    .map(({ name, value }) => `        ${writeLiteral(name)}: ${writeValue(value, '        ')},`);
  return [
    ...known,
    ...(others.length > 0 ? ['    extra_body={', ...others, '    },'] : []),
    ...(omitsKey(call) ? ['    extra_headers={"Authorization": Omit()},'] : []),
  ];
}

function writeValue(value: OfficialValue, outer: string): string {
  if ('json' in value) return writePythonSource(value.json, outer);
  if ('file' in value) return writePythonFile(value.file);
  return `[\n${value.files.map((file) => `${outer}    ${writePythonFile(file)},\n`).join('')}${outer}]`;
}

function writeCall(
  response: OfficialCall['response'],
  method: string,
  args: readonly string[],
): string {
  const { kind } = response;
  if (kind === 'raw-file' || kind === 'raw-stream') {
    const raw = method.replace(/create$/, 'with_streaming_response.create');
    return [
      `with client.${raw}(`,
      ...args,
      ') as response:',
      ...(kind === 'raw-file'
        ? [`    response.stream_to_file(${writeLiteral(response.name)})`]
        : ['    for line in response.iter_lines():', '        print(line, flush=True)']),
    ].join('\n');
  }
  const result = kind === 'events' ? 'events' : 'response';
  return [`${result} = client.${method}(`, ...args, ')', readResult(kind)].join('\n');
}

function readResult(kind: 'object' | 'text' | 'events' | 'raw-text'): string {
  switch (kind) {
    case 'object':
      return 'print(response.to_json())';
    case 'text':
      return 'print(response)';
    case 'events':
      return 'for event in events:\n    print(event.to_json(indent=None), flush=True)';
    case 'raw-text':
      return 'print(response.text)';
  }
}
