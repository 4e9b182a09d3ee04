import { ExactNumber } from '../../../shared/exact-number.ts';
import { isJsonObject, type JsonValue } from '../../../shared/json.ts';
import { listBodyFields } from '../../../shared/operations/field-table.ts';
import { getFormat } from '../../../shared/operations/formats.ts';
import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { CodeBody, CodeRequest, CodeText, FilePart } from './code-request.ts';

export type OfficialClient = 'openai' | 'anthropic';

interface OfficialMethod {
  client: OfficialClient;
  /** The end of the URL; the rest is the client's base URL. */
  path: string;
  /** The method's name in both Python and TypeScript. */
  name: string;
  /** If true, the method always sends a form, even without files. */
  sendsForm?: true;
  /** The method's parameters; other fields go into `extra_body` in Python. */
  fields: ReadonlySet<string>;
}

/** A method that sends a format, whose table names most of the parameters. */
interface FormatMethod extends Omit<OfficialMethod, 'fields'> {
  operation: OperationName;
  /** Empty for the operation's default format. */
  format: string;
  /** Body fields of the format that aren't parameters. */
  lacks: readonly string[];
  /** Parameters that the form doesn't have. */
  adds: Iterable<string>;
}

/** A form's file, or several with the same name. */
export type OfficialValue = { json: JsonValue } | { file: FilePart } | { files: FilePart[] };

export interface OfficialCall {
  client: OfficialClient;
  method: string;
  baseUrl: string;
  /** The variable of an `Authorization: Bearer` header; null if the key is sent otherwise. */
  bearer: string | null;
  query: [name: string, value: CodeText][];
  headers: [name: string, value: CodeText][];
  variables: string[];
  args: { name: string; isKnown: boolean; value: OfficialValue }[];
  response: OfficialResponse;
}

/** `object` is parsed JSON, `raw` the HTTP response. */
export type OfficialResponse =
  | { kind: 'object' | 'text' | 'events' | 'raw-text' | 'raw-stream' }
  | { kind: 'raw-file'; name: string };

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const formatMethods: readonly FormatMethod[] = [
  {
    client: 'openai',
    path: '/chat/completions',
    name: 'chat.completions.create',
    operation: 'chat',
    format: '',
    lacks: ['thinking'],
    adds: words(`
      function_call functions metadata prediction prompt_cache_key service_tier verbosity
      web_search_options`),
  },
  {
    client: 'openai',
    path: '/responses',
    name: 'responses.create',
    operation: 'chat',
    format: 'responses',
    lacks: [],
    adds: words(`
      background conversation max_tool_calls metadata previous_response_id prompt prompt_cache_key
      service_tier stream_options truncation`),
  },
  {
    client: 'anthropic',
    path: '/v1/messages',
    name: 'messages.create',
    operation: 'chat',
    format: 'messages',
    lacks: ['temperature', 'top_p'],
    adds: words('cache_control container service_tier'),
  },
  {
    client: 'openai',
    path: '/images/generations',
    name: 'images.generate',
    operation: 'image',
    format: 'images',
    lacks: ['image', 'image[]'],
    adds: words('user'),
  },
  {
    client: 'openai',
    path: '/images/edits',
    name: 'images.edit',
    operation: 'image',
    format: 'images',
    sendsForm: true,
    lacks: ['image[]'],
    adds: words('user'),
  },
  {
    client: 'openai',
    path: '/videos',
    name: 'videos.create',
    operation: 'video',
    format: 'videos',
    sendsForm: true,
    lacks: ['fps', 'seed', 'metadata', 'user', 'frame_images', 'input_references'],
    adds: [],
  },
];

function toMethod({ operation, format, lacks, adds, ...method }: FormatMethod): OfficialMethod {
  const { fields = {} } = getFormat(operation, format);
  const kind = method.sendsForm === true ? 'form' : 'json';
  const named = listBodyFields(fields, kind).filter((name) => !lacks.includes(name));
  return { ...method, fields: new Set([...named, ...adds]) };
}

export const officialMethods: readonly OfficialMethod[] = [
  ...formatMethods.map(toMethod),
  {
    client: 'openai',
    path: '/completions',
    name: 'completions.create',
    fields: words(`
      model prompt best_of echo frequency_penalty logit_bias logprobs max_tokens n presence_penalty
      seed stop stream stream_options suffix temperature top_p user`),
  },
  {
    client: 'openai',
    path: '/embeddings',
    name: 'embeddings.create',
    fields: words('input model dimensions encoding_format user'),
  },
  {
    client: 'openai',
    path: '/audio/speech',
    name: 'audio.speech.create',
    fields: words('input model voice instructions response_format speed stream_format'),
  },
  {
    client: 'openai',
    path: '/audio/transcriptions',
    name: 'audio.transcriptions.create',
    sendsForm: true,
    fields: words(`
      file model chunking_strategy include known_speaker_names known_speaker_references language
      prompt response_format stream temperature timestamp_granularities`),
  },
];

/** Official clients set these headers. They also send a version of the API, but a later one. */
const clientHeaders = new Set(['accept', 'content-type']);

/** Returns null if no official client has a method that sends this request. */
export function toOfficialCall(request: CodeRequest, response: CodeResponse): OfficialCall | null {
  if (request.method !== 'POST') return null;
  const { base, query } = splitUrl(request.url);
  const method = officialMethods.find(({ path }) => base.endsWith(path));
  if (method === undefined) return null;
  const args = getArguments(request.body, method);
  if (args === null) return null;
  const authorization = request.headers.find(([name]) => name.toLowerCase() === 'authorization');
  const bearer = authorization === undefined ? null : getBearer(authorization[1]);
  return {
    client: method.client,
    method: method.name,
    baseUrl: base.slice(0, -method.path.length),
    bearer,
    query,
    headers: request.headers.filter(
      ([name]) =>
        !clientHeaders.has(name.toLowerCase()) &&
        !(bearer !== null && name.toLowerCase() === 'authorization'),
    ),
    variables: request.variables,
    args,
    response: getResponse(method, args, response),
  };
}

/** Only the query can contain variables, because Gatehouse redacts nothing else in URLs. */
function splitUrl(url: CodeText): { base: string; query: OfficialCall['query'] } {
  const variables: string[] = [];
  const marked = url
    .map((part) =>
      typeof part === 'string' ? part : `\ue000${variables.push(part.variable) - 1}\ue000`,
    )
    .join('');
  const at = marked.includes('?') ? marked.indexOf('?') : marked.length;
  const query = [...new URLSearchParams(marked.slice(at + 1))].map(
    ([name, value]): [string, CodeText] => [
      name,
      value.split('\ue000').map((part, index) => {
        const variable = index % 2 === 1 ? variables[Number(part)] : undefined;
        return variable === undefined ? part : { variable };
      }),
    ],
  );
  return { base: marked.slice(0, at), query };
}

function getBearer([scheme, key]: CodeText): string | null {
  const isBearer = typeof scheme === 'string' && /^bearer $/i.test(scheme);
  return isBearer && typeof key === 'object' ? key.variable : null;
}

function getArguments(body: CodeBody, method: OfficialMethod): OfficialCall['args'] | null {
  const { fields, sendsForm = false } = method;
  if (body.kind === 'form') return sendsForm ? getFormArguments(body, fields) : null;
  if (body.kind !== 'json' || !isJsonObject(body.value)) return null;
  const entries = Object.entries(body.value);
  // Forms send only text, so other values would change.
  const fitsForm = entries.every(([name, value]) => fields.has(name) && typeof value === 'string');
  if (sendsForm && !fitsForm) return null;
  const args = entries.map(([name, json]) => ({
    name,
    isKnown: fields.has(name),
    value: { json },
  }));
  // The clients ask for base64 unless told otherwise, which many gateways don't support.
  return method.name === 'embeddings.create' && !('encoding_format' in body.value)
    ? [...args, { name: 'encoding_format', isKnown: true, value: { json: 'float' } }]
    : args;
}

/** Names that end with `[]` are lists; null if another name is repeated. */
function getFormArguments(
  { fields, files }: Extract<CodeBody, { kind: 'form' }>,
  known: ReadonlySet<string>,
): OfficialCall['args'] | null {
  const values = new Map<string, OfficialValue>();
  for (const [key, text] of fields) {
    const [name, isList] = splitListName(key);
    const json = getFormValue(name, text);
    const before = values.get(name);
    if (!isList && before !== undefined) return null;
    const list = before !== undefined && 'json' in before ? before.json : [];
    values.set(name, { json: isList ? [...(Array.isArray(list) ? list : []), json] : json });
  }
  for (const file of files) {
    const [name, isList] = splitListName(file.name);
    const before = values.get(name);
    if (before === undefined) values.set(name, isList ? { files: [file] } : { file });
    else if (isList && 'files' in before) before.files.push(file);
    else return null;
  }
  return [...values].map(([name, value]) => ({ name, isKnown: known.has(name), value }));
}

function splitListName(key: string): [name: string, isList: boolean] {
  return key.endsWith('[]') ? [key.slice(0, -2), true] : [key, false];
}

const numbers = words('temperature n output_compression partial_images');

/** Returns a number or Boolean if the client writes it as the same text. */
function getFormValue(name: string, text: string): JsonValue {
  if (name === 'stream' && (text === 'true' || text === 'false')) return text === 'true';
  return numbers.has(name) && String(Number(text)) === text ? Number(text) : text;
}

function getResponse(
  method: OfficialMethod,
  args: OfficialCall['args'],
  response: CodeResponse,
): OfficialResponse {
  if (method.name === 'audio.speech.create') {
    if (response.kind === 'file') return { kind: 'raw-file', name: response.name };
    return { kind: response.kind === 'stream' ? 'raw-stream' : 'raw-text' };
  }
  const find = (name: string) => {
    const found = args.find((arg) => arg.name === name)?.value;
    return found !== undefined && 'json' in found ? found.json : undefined;
  };
  if (find('stream') === true) return { kind: 'events' };
  const isText =
    method.name === 'audio.transcriptions.create' &&
    ['text', 'srt', 'vtt'].some((format) => format === find('response_format'));
  return { kind: isText ? 'text' : 'object' };
}

/** Returns true if Python would parse a number in the value as a different one. */
export function hasLongFraction(value: JsonValue): boolean {
  if (value instanceof ExactNumber) return !/^-?\d+$/.test(value.source);
  if (Array.isArray(value)) return value.some(hasLongFraction);
  return isJsonObject(value) && Object.values(value).some(hasLongFraction);
}
