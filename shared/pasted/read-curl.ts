/** Reads the options of curl commands into requests; https://curl.se/docs/manpage.html. */
import type { HeaderList } from '../run.ts';
import type { ShellCommand, ShellScript } from './bash-words.ts';
import {
  type PastedBody,
  type PastedFile,
  type PastedRequest,
  PastedTextError,
} from './pasted-request.ts';
import { addQuery, describeMissingFile, getFileName, parseBody } from './request-body.ts';

/** Options that affect the request; `other` options with a value and `flag` options don't. */
type CurlOption =
  | ('request' | 'url' | 'header' | 'data' | 'data-raw' | 'data-urlencode' | 'json' | 'form')
  | ('form-string' | 'user' | 'user-agent' | 'cookie' | 'referer' | 'oauth2-bearer')
  | ('upload-file' | 'get' | 'head' | 'other' | 'flag');

const longOptions: Readonly<Record<string, CurlOption>> = {
  request: 'request',
  url: 'url',
  header: 'header',
  json: 'json',
  form: 'form',
  data: 'data',
  'data-ascii': 'data',
  'data-binary': 'data',
  'data-raw': 'data-raw',
  'data-urlencode': 'data-urlencode',
  'form-string': 'form-string',
  user: 'user',
  'user-agent': 'user-agent',
  cookie: 'cookie',
  referer: 'referer',
  get: 'get',
  head: 'head',
  'oauth2-bearer': 'oauth2-bearer',
  'upload-file': 'upload-file',
};

const shortOptions: Readonly<Record<string, CurlOption>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  u: 'user',
  A: 'user-agent',
  b: 'cookie',
  e: 'referer',
  T: 'upload-file',
  G: 'get',
  I: 'head',
};

const otherLong: ReadonlySet<string> = new Set([
  ...['aws-sigv4', 'cacert', 'capath', 'cert', 'cert-type', 'ciphers', 'config', 'connect-timeout'],
  ...['connect-to', 'cookie-jar', 'dump-header', 'interface', 'keepalive-time', 'key', 'key-type'],
  ...['limit-rate', 'max-filesize', 'max-redirs', 'max-time', 'netrc-file', 'noproxy', 'output'],
  ...['output-dir', 'pass', 'proto', 'proxy', 'proxy-header', 'proxy-user', 'range', 'resolve'],
  ...['retry', 'retry-delay', 'retry-max-time', 'socks5', 'socks5-hostname', 'speed-limit'],
  ...['speed-time', 'stderr', 'tls-max', 'trace', 'trace-ascii', 'unix-socket', 'url-query'],
  ...['write-out'],
]);
const otherShort = 'CDEKPQUYcehmortwxyz';

interface Draft {
  method: string | null;
  url: string | null;
  headers: HeaderList;
  data: string[];
  isGet: boolean;
  isJson: boolean;
  fields: [string, string][];
  files: PastedFile[];
  notes: string[];
}

/** Reads the commands named curl; `stdin` and files that the script writes are filled in. */
export function readCurls({ commands, notes }: ShellScript): PastedRequest[] {
  const written = new Map<string, string>();
  return commands.flatMap((command) => {
    const { output, stdin, words } = command;
    if (output !== null && stdin !== null && words[0] === 'cat') written.set(output, stdin);
    const start = words.findIndex((word) => !/^(?:[$>%#]|sudo|time|command|\w+=.*)$/s.test(word));
    if (!/^(?:.*[\\/])?curl(?:\.exe)?$/i.test(words[start] ?? '')) return [];
    return [readCommand(words.slice(start + 1), command, written, notes)];
  });
}

function readCommand(
  words: readonly string[],
  command: Pick<ShellCommand, 'stdin'>,
  written: ReadonlyMap<string, string>,
  notes: readonly string[],
): PastedRequest {
  const draft: Draft = {
    method: null,
    url: null,
    headers: [],
    data: [],
    isGet: false,
    isJson: false,
    fields: [],
    files: [],
    notes: [...notes],
  };
  const readFile = (name: string) => {
    const text = name === '-' ? command.stdin : (written.get(name) ?? null);
    if (text === null) draft.notes.push(describeMissingFile(name));
    return text?.replace(/\n$/, '') ?? '';
  };
  for (const [option, value] of listOptions(words)) applyOption(draft, option, value, readFile);
  return finish(draft);
}

function* listOptions(words: readonly string[]): Generator<[CurlOption, string]> {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const long = /^--(.+)$/s.exec(word)?.[1];
    if (long !== undefined) {
      const option = Object.hasOwn(longOptions, long) ? longOptions[long] : undefined;
      const found = option ?? (otherLong.has(long) ? 'other' : 'flag');
      if (found === 'flag' || found === 'get' || found === 'head') yield [found, ''];
      else {
        index += 1;
        yield [found, words[index] ?? ''];
      }
    } else if (word.startsWith('-') && word.length > 1) {
      const cluster = readCluster(word.slice(1));
      for (const flag of cluster.flags) yield [flag, ''];
      if (cluster.option === null) continue;
      if (cluster.value === '') index += 1;
      yield [cluster.option, cluster.value || (words[index] ?? '')];
    } else yield ['url', word];
  }
}

/** Reads letters such as `-sSXPOST`, the last of which may have a value. */
function readCluster(letters: string) {
  const flags: CurlOption[] = [];
  for (const [index, letter] of [...letters].entries()) {
    const option = shortOptions[letter] ?? (otherShort.includes(letter) ? 'other' : 'flag');
    const isFlag = option === 'flag' || option === 'get' || option === 'head';
    if (!isFlag) return { flags, option, value: letters.slice(index + 1) };
    flags.push(option);
  }
  return { flags, option: null, value: '' };
}

function applyOption(
  draft: Draft,
  option: CurlOption,
  value: string,
  readFile: (name: string) => string,
): void {
  switch (option) {
    case 'request':
      draft.method = value.toUpperCase();
      return;
    case 'url':
      draft.url ??= value;
      return;
    case 'header':
      addHeader(draft.headers, value);
      return;
    case 'json':
      draft.isJson = true;
      draft.data.push(value.startsWith('@') ? readFile(value.slice(1)) : value);
      return;
    case 'data':
      draft.data.push(value.startsWith('@') ? readFile(value.slice(1)) : value);
      return;
    case 'data-raw':
      draft.data.push(value);
      return;
    case 'data-urlencode':
      draft.data.push(encodeData(value, readFile));
      return;
    case 'form':
    case 'form-string':
      addField(draft, value, option, readFile);
      return;
    case 'user':
      draft.headers.push(['Authorization', `Basic ${value}`]);
      return;
    case 'oauth2-bearer':
      draft.headers.push(['Authorization', `Bearer ${value}`]);
      return;
    case 'user-agent':
      draft.headers.push(['User-Agent', value]);
      return;
    case 'cookie':
      draft.headers.push(['Cookie', value]);
      return;
    case 'referer':
      draft.headers.push(['Referer', value]);
      return;
    case 'upload-file':
      draft.method ??= 'PUT';
      readFile(value);
      return;
    case 'get':
      draft.isGet = true;
      return;
    case 'head':
      draft.method ??= 'HEAD';
      return;
    case 'other':
    case 'flag':
      return;
  }
}

/** A name with `;` has an empty value; one with only `:` removes curl's own header. */
function addHeader(headers: HeaderList, line: string): void {
  const [, name = '', separator, value = ''] = /^([^:;]+)([:;])\s*(.*)$/s.exec(line) ?? [];
  if (name === '' || (separator === ':' && value.trim() === '')) return;
  headers.push([name.trim(), value.trim()]);
}

function encodeData(value: string, readFile: (name: string) => string): string {
  const [, name = '', separator = '', content = ''] = /^([^=@]*)([=@])(.*)$/s.exec(value) ?? [];
  if (separator === '') return encodeURIComponent(value);
  const encoded = encodeURIComponent(separator === '@' ? readFile(content) : content);
  return name === '' ? encoded : `${name}=${encoded}`;
}

function addField(
  draft: Draft,
  value: string,
  option: 'form' | 'form-string',
  readFile: (name: string) => string,
): void {
  const [, name = '', content = ''] = /^([^=]*)=?(.*)$/s.exec(value) ?? [];
  if (option === 'form-string') draft.fields.push([name, content]);
  else if (content.startsWith('@')) {
    const fileName = /;\s*filename=([^;]*)/.exec(content)?.[1] ?? content.slice(1).split(';')[0];
    draft.files.push({ field: name, fileName: getFileName(unquote(fileName ?? '')) });
  } else if (content.startsWith('<')) {
    draft.fields.push([name, readFile(content.slice(1))]);
  } else draft.fields.push([name, unquote(content.replace(/;\s*type=[^;]*$/, ''))]);
}

function unquote(text: string): string {
  return /^"(.*)"$/s.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? text;
}

function finish(draft: Draft): PastedRequest {
  const { data, fields, files, isGet, isJson, notes } = draft;
  if (draft.url === null || draft.url === '') {
    throw new PastedTextError('The curl command has no URL.');
  }
  const headers = isJson ? withJsonType(draft.headers) : draft.headers;
  const joined = data.join(isJson ? '' : '&');
  const hasForm = fields.length + files.length > 0;
  const hasBody = !isGet && data.length > 0;
  const body: PastedBody = hasForm
    ? { kind: 'form', fields, files }
    : hasBody
      ? parseBody(joined, headers)
      : { kind: 'none' };
  const url = isGet && joined !== '' ? addQuery(draft.url, joined) : draft.url;
  return {
    source: 'curl',
    method: draft.method ?? (hasForm || hasBody ? 'POST' : 'GET'),
    url,
    headers,
    body,
    notes,
  };
}

function withJsonType(headers: HeaderList): HeaderList {
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return hasType ? headers : [...headers, ['Content-Type', 'application/json']];
}
