import { ExactNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { SentRequest } from '../../../shared/run.ts';
import {
  type CodeBody,
  type CodeText,
  type FileText,
  getPlainText,
  listFiles,
  splitFiles,
  toCodeRequest,
  writePieces,
  writeSource,
  writeSum,
  writeTemplate,
} from './code-request.ts';
import { writeLiteral } from './literals.ts';

/** Returns a Python 3 script that uses the requests library. */
export function getPython(sent: SentRequest, response: CodeResponse = { kind: 'text' }): string {
  const { method, url, headers, variables, body: anyBody } = toCodeRequest(sent);
  const body = toPythonBody(anyBody);
  const readsFiles = body.kind !== 'form' && listFiles(body).length > 0;
  const modules = [
    readsFiles ? 'base64' : null,
    body.kind === 'json' ? 'json' : null,
    variables.length > 0 ? 'os' : null,
    'sys',
  ].filter((name) => name !== null);
  const imports = [...modules.map((name) => `import ${name}`), '', 'import requests'].join('\n');

  const given = joinHeaders(headers).map(
    ([name, value]) => `        ${writeLiteral(name)}: ${writePythonText(value)},`,
  );
  const call = [
    'response = requests.request(',
    `    ${writeLiteral(method)},`,
    `    ${writePythonText(url)},`,
    ...(given.length > 0 ? ['    headers={', ...given, '    },'] : []),
    ...getData(body),
    ...(response.kind === 'stream' ? ['    stream=True,'] : []),
    ')',
    'if not response.ok:',
    '    sys.exit(f"HTTP {response.status_code}: {response.text}")',
    ...readResponse(response),
  ].join('\n');
  return `${[imports, getBody(body), call].filter((part) => part !== '').join('\n\n')}\n`;
}

/** Reads each secret from the environment. */
export function writePythonText(text: CodeText): string {
  const plain = getPlainText(text);
  if (plain !== null) return writeLiteral(plain);
  const template = writeTemplate(text, (variable) => `{os.environ['${variable}']}`);
  if (template !== null) return `f"${template}"`;
  return writeSum(text, (variable) => `os.environ["${variable}"]`);
}

/** Sends the body as text if Python would round its fractions or write them otherwise. */
function toPythonBody(body: CodeBody): CodeBody {
  if (body.kind !== 'json' || !isChanged(body.value)) return body;
  return { kind: 'text', pieces: splitFiles(JSON.stringify(body.value)) };
}

/** Python writes smaller fractions with an exponent. */
const MIN_FRACTION = 1e-4;

function isChanged(value: JsonValue): boolean {
  if (typeof value === 'number') return value !== 0 && Math.abs(value) < MIN_FRACTION;
  if (value instanceof ExactNumber) return !/^-?\d+$/.test(value.source);
  if (Array.isArray(value)) return value.some(isChanged);
  return isJsonObject(value) && Object.values(value).some(isChanged);
}

function getData(body: CodeBody): string[] {
  switch (body.kind) {
    case 'none':
      return [];
    case 'text':
      return ['    data=body.encode(),'];
    case 'json':
      // Python’s defaults add spaces and escape every letter outside ASCII.
      return ['    data=json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(),'];
    case 'form':
      return ['    files=form,'];
  }
}

/** Defines `read_base64`, which `writePythonSource` calls for the files of a body. */
export const pythonBase64 = [
  'def read_base64(path):',
  '    with open(path, "rb") as file:',
  '        return base64.b64encode(file.read()).decode()',
].join('\n');

const readFile = ({ path }: { path: string }) => `read_base64(${writeLiteral(path)})`;

function getBody(body: CodeBody): string {
  switch (body.kind) {
    case 'none':
      return '';
    case 'text':
    case 'json': {
      const helper = listFiles(body).length > 0 ? `\n${pythonBase64}\n\n\n` : '';
      const source =
        body.kind === 'text' ? writePieces(body.pieces, readFile) : writePythonSource(body.value);
      return `${helper}body = ${source}`;
    }
    case 'form':
      return [
        'form = [',
        ...body.fields.map(
          ([name, value]) => `    (${writeLiteral(name)}, (None, ${writeLiteral(value)})),`,
        ),
        ...body.files.map(({ name, ...file }) => {
          return `    (${writeLiteral(name)}, ${writePythonFile(file)}),`;
        }),
        ']',
      ].join('\n');
  }
}

interface PythonFile {
  filename: string;
  path: string;
  type: string;
}

/** Writes a file as the tuple that requests and httpx accept. */
export function writePythonFile({ filename, path, type }: PythonFile): string {
  const parts = [
    writeLiteral(filename),
    `open(${writeLiteral(path)}, "rb")`,
    writeLiteral(type === '' ? 'application/octet-stream' : type),
  ];
  return `(${parts.join(', ')})`;
}

function readResponse(response: CodeResponse): string[] {
  switch (response.kind) {
    case 'text':
      return ['print(response.content.decode())'];
    case 'stream':
      return [
        'for line in response.iter_lines():',
        '    print(line.decode(errors="replace"), flush=True)',
      ];
    case 'file':
      return [
        `with open(${writeLiteral(response.name)}, "wb") as file:`,
        '    file.write(response.content)',
      ];
  }
}

/** Writes a JSON value in Python; `outer` is the indentation of its first line. */
export function writePythonSource(value: JsonValue, outer = ''): string {
  const constants = new Map<JsonValue, string>([
    [true, 'True'],
    [false, 'False'],
    [null, 'None'],
  ]);
  const style = {
    indent: '    ',
    name: writeLiteral,
    file({ before, path }: FileText) {
      const read = readFile({ path });
      return before === '' ? read : `${writeLiteral(before)} + ${read}`;
    },
    scalar: (scalar: JsonValue) => constants.get(scalar) ?? JSON.stringify(scalar),
  };
  return writeSource(value, style, outer);
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
