/** Reads what a response head states about the body. */
import type { HeaderList } from '../../shared/run.ts';

export interface ResponseHead {
  status: number;
  headers: HeaderList;
}

export function readHead(status: number, rawHeaders: Buffer[]): ResponseHead {
  const headers: HeaderList = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([headerText(rawHeaders[index]), headerText(rawHeaders[index + 1])]);
  }
  return { status, headers };
}

/** The values of a field joined as in RFC 9110, 5.3; null if it is absent. */
export function headerValue(headers: HeaderList, name: string): string | null {
  const values = headers
    .filter(([field]) => field.toLowerCase() === name)
    .map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** Without length or chunks a body ends where the connection ends: a cut looks like an end. */
export function endsWithConnection(headers: HeaderList): boolean {
  const chunked = headerValue(headers, 'transfer-encoding')?.toLowerCase().includes('chunked');
  return !chunked && headerValue(headers, 'content-length') === null;
}

/** Values are bytes: UTF-8 where they are that, else Latin-1. */
function headerText(bytes: Buffer | undefined): string {
  if (bytes === undefined) return '';
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? bytes.toString('latin1') : text;
}
