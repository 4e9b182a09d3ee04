import { ExactNumber } from '../../../shared/exact-number.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { SentRequest } from '../../../shared/run.ts';
import {
  type CodeBody,
  type CodeRequest,
  type CodeText,
  type FileText,
  getPlainText,
  listFiles,
  toCodeRequest,
  writePieces,
  writeSource,
  writeSum,
  writeTemplate,
} from './code-request.ts';
import { writeLiteral } from './literals.ts';

/** Returns a script without dependencies that Node 24 can run directly. */
export function getTypescript(
  sent: SentRequest,
  response: CodeResponse = { kind: 'text' },
): string {
  const request = toCodeRequest(sent);
  const parts = [getImports(request.body, response), getBody(request.body), getCall(request)];
  return `${[...parts, getResponseCode(response)].filter((part) => part !== '').join('\n\n')}\n`;
}

function getImports(body: CodeBody, response: CodeResponse): string {
  const lines: string[] = [];
  if (body.kind === 'form' && body.files.length > 0)
    lines.push("import { openAsBlob } from 'node:fs';");
  const names = [
    body.kind !== 'form' && listFiles(body).length > 0 ? 'readFile' : null,
    response.kind === 'file' ? 'writeFile' : null,
  ].filter((name) => name !== null);
  if (names.length > 0) lines.push(`import { ${names.join(', ')} } from 'node:fs/promises';`);
  return lines.join('\n');
}

/** Defines `base64`, which `writeTypescriptSource` calls for the files of a body. */
export const typescriptBase64 =
  "const base64 = async (path: string) => (await readFile(path)).toString('base64');";

const readFile = ({ path }: { path: string }) => `await base64(${writeLiteral(path)})`;

function getBody(body: CodeBody): string {
  switch (body.kind) {
    case 'none':
      return '';
    case 'text':
    case 'json': {
      const reads = listFiles(body).length > 0;
      const helper = reads ? `${typescriptBase64}\n\n` : '';
      const source =
        body.kind === 'text'
          ? writePieces(body.pieces, (file) => `(${readFile(file)})`)
          : writeTypescriptSource(body.value);
      return `${helper}const body = ${source};`;
    }
    case 'form': {
      const lines = body.fields.map(
        ([name, value]) => `body.append(${writeLiteral(name)}, ${writeLiteral(value)});`,
      );
      for (const { name, filename, type, path } of body.files) {
        const blob = `await openAsBlob(${writeLiteral(path)}, { type: ${writeLiteral(type)} })`;
        lines.push(`body.append(${writeLiteral(name)}, ${blob}, ${writeLiteral(filename)});`);
      }
      return ['const body = new FormData();', ...lines].join('\n');
    }
  }
}

function getCall({ method, url, headers, body }: CodeRequest): string {
  const lines = [`  method: ${writeLiteral(method)},`];
  const all = headers.map(
    ([name, value]) => `    ${writeTypescriptName(name)}: ${writeTypescriptText(value)},`,
  );
  if (all.length > 0) lines.push('  headers: {', ...all, '  },');
  if (body.kind === 'json') lines.push('  body: JSON.stringify(body),');
  else if (body.kind !== 'none') lines.push('  body,');
  return [
    `const response = await fetch(${writeTypescriptText(url)}, {`,
    ...lines,
    '});',
    // Print the response as text, so that gateway errors appear unchanged.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template belongs to the exported code.
    'if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);',
  ].join('\n');
}

/** Reads each secret from the environment. */
export function writeTypescriptText(text: CodeText): string {
  const plain = getPlainText(text);
  if (plain !== null) return writeLiteral(plain);
  const template = writeTemplate(text, (variable) => `\${process.env.${variable}}`);
  if (template !== null) return `\`${template}\``;
  return writeSum(text, (variable) => `process.env.${variable}`);
}

/** Prints the `response` as it arrives. */
export const readTypescriptStream = [
  'const decoder = new TextDecoder();',
  'for await (const bytes of response.body ?? []) {',
  '  process.stdout.write(decoder.decode(bytes, { stream: true }));',
  '}',
].join('\n');

function getResponseCode(response: CodeResponse): string {
  switch (response.kind) {
    case 'text':
      return 'console.log(await response.text());';
    case 'file':
      return `await writeFile(${writeLiteral(response.name)}, Buffer.from(await response.arrayBuffer()));`;
    case 'stream':
      return readTypescriptStream;
  }
}

/** Writes a JSON value; `outer` is the indentation of its first line. */
export function writeTypescriptSource(value: JsonValue, outer = ''): string {
  const style = {
    indent: '  ',
    name: writeTypescriptName,
    file({ before, path }: FileText) {
      const read = readFile({ path });
      return before === '' ? read : `${writeLiteral(before)} + (${read})`;
    },
    scalar: (scalar: JsonValue) =>
      scalar instanceof ExactNumber ? `JSON.rawJSON('${scalar}')` : JSON.stringify(scalar),
  };
  return writeSource(value, style, outer);
}

export function writeTypescriptName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : writeLiteral(name);
}
