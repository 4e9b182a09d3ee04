import { writeLiteral } from './literals.ts';
import type { OfficialCall, OfficialValue } from './official-request.ts';
import {
  readTypescriptStream,
  typescriptBase64,
  writeTypescriptName,
  writeTypescriptSource,
  writeTypescriptText,
} from './typescript.ts';

const classes = {
  openai: ['OpenAI', 'openai'],
  anthropic: ['Anthropic', '@anthropic-ai/sdk'],
} as const;

/** Returns a script that calls the official client of OpenAI or Anthropic. */
export function getOfficialTypescript(call: OfficialCall): string {
  const [className, module] = classes[call.client];
  const args = getArguments(call);
  const readsBase64 = args.includes('await base64(');
  const sendsFiles = call.args.some(({ value }) => !('json' in value));
  const names = [
    readsBase64 ? 'readFile' : null,
    call.response.kind === 'raw-file' ? 'writeFile' : null,
  ].filter((name) => name !== null);
  const imports = [
    ...(sendsFiles ? ["import { createReadStream } from 'node:fs';"] : []),
    ...(names.length > 0 ? [`import { ${names.join(', ')} } from 'node:fs/promises';`] : []),
    `import ${className}${sendsFiles ? ', { toFile }' : ''} from '${module}';`,
  ].join('\n');
  const parts = [
    imports,
    readsBase64 ? typescriptBase64 : '',
    [`const client = new ${className}({`, ...getOptions(call), '});'].join('\n'),
    [`const ${getResult(call)} = await client.${call.method}({`, args, '});'].join('\n') +
      `\n${readResult(call)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function getOptions({ client, baseUrl, bearer, headers, query }: OfficialCall): string[] {
  const given = headers.map(
    ([name, value]) => `    ${writeTypescriptName(name)}: ${writeTypescriptText(value)},`,
  );
  // Null removes the Authorization header, which the client sends even without a key.
  const sendsOther = headers.some(([name]) => name.toLowerCase() === 'authorization');
  if (bearer === null && !sendsOther) given.push('    Authorization: null,');
  const key = bearer === null ? null : `process.env.${bearer}`;
  const keyOption =
    client === 'openai'
      ? `  apiKey: ${key ?? "'unused'"},`
      : `  ${key === null ? 'apiKey: null' : `authToken: ${key}`},`;
  return [
    `  baseURL: ${writeLiteral(baseUrl)},`,
    keyOption,
    ...(given.length > 0 ? ['  defaultHeaders: {', ...given, '  },'] : []),
    ...(query.length > 0
      ? [
          '  defaultQuery: {',
          ...query.map(
            ([name, value]) => `    ${writeTypescriptName(name)}: ${writeTypescriptText(value)},`,
          ),
          '  },',
        ]
      : []),
  ];
}

/** Uses a spread for fields that the client's types lack, to keep their order. */
function getArguments({ args }: OfficialCall): string {
  return args
    .map(({ name, isKnown, value }) => {
      const field = `${writeTypescriptName(name)}: ${writeValue(value, isKnown ? '  ' : '    ')}`;
      return isKnown ? `  ${field},` : `  ...{\n    ${field},\n  },`;
    })
    .join('\n');
}

function writeValue(value: OfficialValue, outer: string): string {
  if ('json' in value) return writeTypescriptSource(value.json, outer);
  const files = 'file' in value ? [value.file] : value.files;
  const sources = files.map(({ path, filename, type }) => {
    const declared = type === '' ? 'application/octet-stream' : type;
    return `await toFile(createReadStream(${writeLiteral(path)}), ${writeLiteral(filename)}, { type: ${writeLiteral(declared)} })`;
  });
  if ('file' in value) return sources.join('');
  return `[\n${sources.map((source) => `${outer}  ${source},\n`).join('')}${outer}]`;
}

function getResult({ response: { kind } }: OfficialCall): string {
  return kind === 'events' ? 'events' : 'response';
}

function readResult({ response }: OfficialCall): string {
  switch (response.kind) {
    case 'object':
      return 'console.log(JSON.stringify(response, null, 2));';
    case 'text':
      return 'console.log(response);';
    case 'events':
      return 'for await (const event of events) console.log(JSON.stringify(event));';
    case 'raw-text':
      return 'console.log(await response.text());';
    case 'raw-file':
      return `await writeFile(${writeLiteral(response.name)}, Buffer.from(await response.arrayBuffer()));`;
    case 'raw-stream':
      return readTypescriptStream;
  }
}
