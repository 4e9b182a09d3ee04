import { ExactNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { SentRequest } from '../../../shared/run.ts';
import {
  type CodeBody,
  type CodeText,
  filePaths,
  getPlainText,
  literal,
  toCodeRequest,
  writeSource,
  writeSum,
  writeTemplate,
} from './code-request.ts';

/** Returns a Python 3 script that uses only the standard library. */
export function getPython(sent: SentRequest, response: CodeResponse = { kind: 'text' }): string {
  const { method, url, headers, variables, body: anyBody } = toCodeRequest(sent);
  const body = toPythonBody(anyBody);
  const readsFiles = body.kind === 'json' && filePaths(body).length > 0;
  const modules = [
    readsFiles ? 'base64' : null,
    body.kind === 'json' ? 'json' : null,
    variables.length > 0 ? 'os' : null,
    response.kind === 'file' ? 'shutil' : null,
    'sys',
    'urllib.error',
    'urllib.request',
    body.kind === 'form' ? 'uuid' : null,
  ].filter((name) => name !== null);

  const given = [
    ...joinHeaders(headers).map(([name, value]) => `        ${literal(name)}: ${getText(value)},`),
    ...(body.kind === 'form'
      ? ['        "Content-Type": f"multipart/form-data; boundary={boundary}",']
      : []),
  ];
  const call = [
    'request = urllib.request.Request(',
    `    ${getText(url)},`,
    `    method=${literal(method)},`,
    ...(given.length > 0 ? ['    headers={', ...given, '    },'] : []),
    ...(body.kind === 'none' ? [] : [`    data=${getData(body)},`]),
    ')',
  ].join('\n');

  const parts = [modules.map((name) => `import ${name}`).join('\n'), getBody(body), call];
  return `${[...parts, getResponseCode(response)].filter((part) => part !== '').join('\n\n')}\n`;
}

function getText(text: CodeText): string {
  const plain = getPlainText(text);
  if (plain !== null) return literal(plain);
  const template = writeTemplate(text, (variable) => `{os.environ['${variable}']}`);
  if (template !== null) return `f"${template}"`;
  return writeSum(text, (variable) => `os.environ["${variable}"]`);
}

/** Sends the body as text if Python would round its fractions or write them otherwise. */
function toPythonBody(body: CodeBody): CodeBody {
  if (body.kind !== 'json' || filePaths(body).length > 0 || !isChanged(body.value)) return body;
  return { kind: 'text', text: JSON.stringify(body.value) };
}

/** Python writes smaller fractions with an exponent. */
const MIN_FRACTION = 1e-4;

function isChanged(value: JsonValue): boolean {
  if (typeof value === 'number') return value !== 0 && Math.abs(value) < MIN_FRACTION;
  if (value instanceof ExactNumber) return !/^-?\d+$/.test(value.source);
  if (Array.isArray(value)) return value.some(isChanged);
  return isJsonObject(value) && Object.values(value).some(isChanged);
}

function getData(body: CodeBody): string {
  if (body.kind !== 'json') return 'body';
  // Python’s defaults add spaces and escape every letter outside ASCII.
  return 'json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()';
}

function getBody(body: CodeBody): string {
  switch (body.kind) {
    case 'none':
      return '';
    case 'text':
      return `body = ${literal(body.text)}.encode()`;
    case 'json': {
      const helper =
        filePaths(body).length > 0
          ? [
              'def read_base64(path):',
              '    with open(path, "rb") as file:',
              '        return base64.b64encode(file.read()).decode()',
              '',
              '',
            ].join('\n')
          : '';
      return `${helper}body = ${getSource(body.value)}`;
    }
    case 'form':
      return getForm(body);
  }
}

function getForm({ fields, files }: Extract<CodeBody, { kind: 'form' }>): string {
  const part = (disposition: string, more: string) =>
    `f"--{boundary}\\r\\nContent-Disposition: form-data; " + ${literal(disposition + more)}`;
  const lines = ['boundary = uuid.uuid4().hex', 'body = b""'];
  for (const [name, value] of fields) {
    const head = part(`name="${escapeName(name)}"`, `\r\n\r\n${value}\r\n`);
    lines.push(`body += (${head}).encode()`);
  }
  for (const file of files) {
    const names = `name="${escapeName(file.name)}"; filename="${escapeName(file.filename)}"`;
    const type = file.type === '' ? 'application/octet-stream' : file.type;
    lines.push(`body += (${part(names, `\r\nContent-Type: ${type}\r\n\r\n`)}).encode()`);
    lines.push(`with open(${literal(file.path)}, "rb") as file:`, '    body += file.read()');
    lines.push('body += b"\\r\\n"');
  }
  lines.push('body += f"--{boundary}--\\r\\n".encode()');
  return lines.join('\n');
}

function getResponseCode(response: CodeResponse): string {
  return [
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    ...readResponse(response).map((line) => `        ${line}`),
    'except urllib.error.HTTPError as error:',
    '    sys.exit(f"HTTP {error.code}: {error.read().decode(errors=\'replace\')}")',
  ].join('\n');
}

function readResponse(response: CodeResponse): string[] {
  switch (response.kind) {
    case 'text':
      return ['print(response.read().decode())'];
    case 'stream':
      return ['for line in response:', '    print(line.decode(), end="", flush=True)'];
    case 'file':
      return [
        `with open(${literal(response.name)}, "wb") as file:`,
        '    shutil.copyfileobj(response, file)',
      ];
  }
}

function getSource(value: JsonValue): string {
  const constants = new Map<JsonValue, string>([
    [true, 'True'],
    [false, 'False'],
    [null, 'None'],
  ]);
  return writeSource(value, {
    indent: '    ',
    name: literal,
    file({ before, path }) {
      const read = `read_base64(${literal(path)})`;
      return before === '' ? read : `${literal(before)} + ${read}`;
    },
    scalar: (scalar) => constants.get(scalar) ?? JSON.stringify(scalar),
  });
}

/** Joins the values of repeated headers, because a dictionary stores each name only once. */
function joinHeaders(headers: readonly [string, CodeText][]): [string, CodeText][] {
  const values = new Map<string, CodeText>();
  for (const [name, value] of headers) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : [...before, ', ', ...value]);
  }
  return [...values];
}

/** Escapes names the way browsers do. */
function escapeName(name: string): string {
  return name.replace(/\r\n|\r|\n/g, '%0D%0A').replaceAll('"', '%22');
}
