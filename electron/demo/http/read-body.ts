/** Reads a request's body up to a limit. */
import type { IncomingMessage } from 'node:http';
import type { JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { DemoError, invalidRequest } from './failure.ts';

export const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    if (!(part instanceof Buffer)) continue;
    sizeBytes += part.length;
    if (sizeBytes > BODY_LIMIT_BYTES) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export async function readJson(request: IncomingMessage): Promise<JsonValue> {
  const body = await readBody(request);
  if (body.length === 0) throw invalidRequest('The body is empty; send a JSON object.', null);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw invalidRequest('The body is not valid UTF-8.', null);
  }
  const value = parseJson(text);
  if (value === undefined) throw invalidRequest('The body is not valid JSON.', null);
  return value;
}

function tooLarge(): DemoError {
  return new DemoError(413, 'The body is larger than 64 MB.', {
    type: 'invalid_request_error',
    code: 'request_too_large',
    headers: { connection: 'close' },
  });
}
