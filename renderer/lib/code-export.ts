import type { HeaderList } from '../../shared/run.ts';

interface SentRequest {
  method: string;
  url: string;
  headers: HeaderList;
  body: string | null;
}

/** The variable that stands for the key in exported code. */
export const keyVariable = 'GATEHOUSE_API_KEY';

/** curl makes these itself; repeating them would be wrong as soon as the body is edited. */
const madeByCurl = new Set([
  'authorization',
  'content-length',
  'host',
  'connection',
  'accept-encoding',
]);

/** A curl command for a POSIX shell that sends the same request, with the key left out. */
export function curlOf(request: SentRequest): string {
  const method = request.method.toUpperCase();
  const lines = [`curl ${quote(request.url)}`];
  if (method !== (request.body === null ? 'GET' : 'POST')) lines.push(`--request ${method}`);
  if (request.headers.some(([name]) => name.toLowerCase() === 'authorization')) {
    lines.push(`--header "Authorization: Bearer $${keyVariable}"`);
  }
  for (const [name, value] of request.headers) {
    if (!madeByCurl.has(name.toLowerCase())) lines.push(`--header ${quote(`${name}: ${value}`)}`);
  }
  if (request.headers.some(([, value]) => value.includes('text/event-stream'))) {
    lines.push('--no-buffer');
  }
  if (request.body !== null) lines.push(`--data-raw ${quote(readable(request.body))}`);
  return lines.join(' \\\n  ');
}

/** Single quotes keep everything as it is, line breaks too; a single quote itself steps outside. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Indented where that provably changes nothing (long numbers would lose digits). */
function readable(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return JSON.stringify(value) === body ? JSON.stringify(value, null, 2) : body;
  } catch {
    return body;
  }
}
