/** Reads `Invoke-RestMethod`, `Invoke-WebRequest` and curl in a PowerShell script into requests. */
import { isJsonObject, type JsonValue } from '../json.ts';
import type { HeaderList } from '../run.ts';
import {
  type PastedBody,
  type PastedFile,
  type PastedRequest,
  PastedTextError,
} from './pasted-request.ts';
import { FILE_FIELD, type PowerShellCommand, readPowerShell, toText } from './powershell-script.ts';
import { readCurls } from './read-curl.ts';
import { addQuery, parseBody } from './request-body.ts';

const INVOKE = /^(?:invoke-restmethod|invoke-webrequest|irm|iwr)$/i;
const CURL = /^curl(?:\.exe)?$/i;

const valued = [
  ...['uri', 'method', 'custommethod', 'headers', 'body', 'contenttype', 'form', 'infile'],
  ...['useragent', 'token', 'authentication', 'credential', 'outfile', 'timeoutsec', 'websession'],
  ...['sessionvariable', 'proxy', 'certificate', 'certificatethumbprint', 'maximumredirection'],
  ...['maximumretrycount', 'retryintervalsec', 'sslprotocol', 'httpversion', 'transferencoding'],
  ...['statuscodevariable', 'responseheadersvariable', 'errorvariable', 'erroraction'],
];

/** Throws the script's own error if it has no request. */
export function readPowerShellRequests(text: string): PastedRequest[] {
  const { commands, problem } = readPowerShell(text);
  const requests = commands.flatMap((command) => {
    if (isInvoke(command)) return [readInvoke(command)];
    return CURL.test(command.name) ? readCurl(command) : [];
  });
  if (requests.length === 0 && problem !== null) throw problem;
  return requests;
}

/** In Windows PowerShell, `curl` is `Invoke-WebRequest`, whose parameters have one dash. */
function isInvoke({ name, args }: PowerShellCommand): boolean {
  if (INVOKE.test(name)) return true;
  return (
    /^curl$/i.test(name) &&
    args.some((arg) => arg.kind === 'bare' && /^-(?:Uri|Method|Headers|Body)$/i.test(arg.text))
  );
}

function readCurl({ args }: PowerShellCommand): PastedRequest[] {
  const words = args.flatMap((arg) => {
    if (arg.kind === 'splat') return [];
    return arg.kind === 'bare' ? [arg.text] : [toText(arg.value)];
  });
  const command = { words: ['curl', ...words], stdin: null, output: null };
  return readCurls({ commands: [command], notes: [] });
}

function readInvoke({ args }: PowerShellCommand): PastedRequest {
  const parameters = readParameters(args);
  const uri = parameters.get('uri');
  if (uri === undefined) throw new PastedTextError('The PowerShell command has no -Uri.');
  const headers = readHeaders(parameters);
  const method = toText(parameters.get('custommethod') ?? parameters.get('method') ?? 'GET');
  const notes: string[] = [];
  const inFile = parameters.get('infile');
  if (inFile !== undefined) {
    notes.push(`The file “${getFileName(inFile)}” can’t be read from pasted text.`);
  }
  const request = { source: 'powershell' as const, method: method.toUpperCase(), headers, notes };
  const body = parameters.get('body') ?? '';
  if (request.method === 'GET' && isJsonObject(body)) {
    return { ...request, url: addQuery(toText(uri), toQuery(body)), body: { kind: 'none' } };
  }
  const form = parameters.get('form');
  return {
    ...request,
    url: toText(uri),
    body: isJsonObject(form) ? readForm(form) : readBody(body, headers, notes),
  };
}

function readParameters(args: PowerShellCommand['args']): Map<string, JsonValue> {
  const parameters = new Map<string, JsonValue>();
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index];
    if (arg?.kind === 'splat') {
      const entries = isJsonObject(arg.values) ? Object.entries(arg.values) : [];
      for (const [name, value] of entries) parameters.set(findParameter(name), value);
    } else if (arg?.kind === 'bare' && /^-[A-Za-z]/.test(arg.text)) {
      const [, written = '', joined] = /^-([A-Za-z]+)(?::(.*))?$/s.exec(arg.text) ?? [];
      const name = findParameter(written);
      const next = args[index + 1];
      if (joined !== undefined && joined !== '') parameters.set(name, joined);
      else if (valued.includes(name) && next !== undefined && next.kind !== 'splat') {
        parameters.set(name, next.kind === 'bare' ? next.text : next.value);
        index += 1;
      }
    } else if (arg !== undefined && !parameters.has('uri')) {
      parameters.set('uri', arg.kind === 'bare' ? arg.text : arg.value);
    }
  }
  return parameters;
}

/** PowerShell accepts the start of a parameter's name. */
function findParameter(written: string): string {
  const name = written.toLowerCase();
  if (valued.includes(name)) return name;
  const starts = valued.filter((known) => known.startsWith(name));
  return starts.length === 1 ? (starts[0] ?? name) : name;
}

function readHeaders(parameters: ReadonlyMap<string, JsonValue>): HeaderList {
  const written = parameters.get('headers');
  const headers: HeaderList = isJsonObject(written)
    ? Object.entries(written).map(([name, value]) => [name, toText(value)])
    : [];
  const type = parameters.get('contenttype');
  const agent = parameters.get('useragent');
  const token = parameters.get('token') ?? parameters.get('credential');
  if (type !== undefined) headers.push(['Content-Type', toText(type)]);
  if (agent !== undefined) headers.push(['User-Agent', toText(agent)]);
  if (token !== undefined) headers.push(['Authorization', `Bearer ${toText(token)}`]);
  return headers;
}

function readBody(value: JsonValue, headers: HeaderList, notes: string[]): PastedBody {
  if (isJsonObject(value) && FILE_FIELD in value) {
    notes.push(`The file “${getFileName(value)}” can’t be read from pasted text.`);
    return { kind: 'none' };
  }
  return parseBody(isJsonObject(value) ? toQuery(value) : toText(value), headers);
}

function readForm(form: { [name: string]: JsonValue }): PastedBody {
  const fields: [string, string][] = [];
  const files: PastedFile[] = [];
  for (const [field, value] of Object.entries(form)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (isJsonObject(item) && FILE_FIELD in item)
        files.push({ field, fileName: getFileName(item) });
      else fields.push([field, toText(item)]);
    }
  }
  return { kind: 'form', fields, files };
}

function getFileName(value: JsonValue): string {
  const path = toText(value).replace(/^@/, '');
  return path.split(/[\\/]/).at(-1) ?? path;
}

function toQuery(fields: { [name: string]: JsonValue }): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(toText(value))}`)
    .join('&');
}
