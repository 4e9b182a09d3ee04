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
import { parseBody } from './request-body.ts';

const INVOKE = /^(?:invoke-restmethod|invoke-webrequest|irm|iwr)$/i;
const CURL = /^curl(?:\.exe)?$/i;

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
  const isParameter = /^-(?:Uri|Method|Headers|Body)$/i;
  return (
    /^curl$/i.test(name) &&
    args.some(({ isBare, value }) => isBare && isParameter.test(toText(value)))
  );
}

function readCurl({ args }: PowerShellCommand): PastedRequest[] {
  const words = ['curl', ...args.map(({ value }) => toText(value))];
  return readCurls({ commands: [{ words, stdin: null, output: null }], notes: [] });
}

function readInvoke({ args }: PowerShellCommand): PastedRequest {
  const parameters = readParameters(args);
  const uri = parameters.get('uri');
  if (uri === undefined) throw new PastedTextError('The PowerShell command has no -Uri.');
  const table = parameters.get('headers');
  const headers: HeaderList = Object.entries(isJsonObject(table) ? table : {}).map(
    ([name, value]) => [name, toText(value)],
  );
  const type = parameters.get('contenttype');
  if (type !== undefined) headers.push(['Content-Type', toText(type)]);
  const form = parameters.get('form');
  const file = [parameters.get('infile'), parameters.get('body')].find(isFile);
  const fileName = file === undefined ? null : getFileName(file);
  return {
    source: 'powershell',
    method: toText(parameters.get('method') ?? 'GET').toUpperCase(),
    url: toText(uri),
    headers,
    body: isJsonObject(form)
      ? readForm(form)
      : parseBody(fileName === null ? toText(parameters.get('body') ?? '') : '', headers),
    notes: fileName === null ? [] : [`The file “${fileName}” can’t be read from pasted text.`],
  };
}

const NAMES = ['uri', 'method', 'headers', 'body', 'contenttype', 'form', 'infile'];
/** Parameters without a value. */
const SWITCH = /^-(?:use(?!ragent)|skip|no|allow|preserve|passthru|resume|disable|verbose)/i;

function readParameters(args: PowerShellCommand['args']): Map<string, JsonValue> {
  const parameters = new Map<string, JsonValue>();
  for (let index = 0; index < args.length; index += 1) {
    const { isBare = false, value = '' } = args[index] ?? {};
    const word = isBare ? toText(value) : '';
    if (/^-[a-z]/i.test(word)) {
      if (SWITCH.test(word)) continue;
      index += 1;
      parameters.set(findParameter(word.slice(1).toLowerCase()), args[index]?.value ?? '');
    } else if (!parameters.has('uri')) parameters.set('uri', value);
  }
  return parameters;
}

/** PowerShell accepts the start of a parameter's name. */
function findParameter(written: string): string {
  return NAMES.find((name) => written.length > 2 && name.startsWith(written)) ?? written;
}

function isFile(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && FILE_FIELD in value;
}

function readForm(form: { [name: string]: JsonValue }): PastedBody {
  const items = Object.entries(form).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => ({ field, item })),
  );
  const files: PastedFile[] = items
    .filter(({ item }) => isFile(item))
    .map(({ field, item }) => ({ field, fileName: getFileName(item) }));
  const fields = items
    .filter(({ item }) => !isFile(item))
    .map(({ field, item }): [string, string] => [field, toText(item)]);
  return { kind: 'form', fields, files };
}

function getFileName(value: JsonValue): string {
  return toText(value).replace(/^@/, '').split(/[\\/]/).at(-1) ?? '';
}
