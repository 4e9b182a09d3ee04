/** What of a request is recorded: all of it but the connection's key, wherever the user wrote it. */
import type { JsonObject } from '../../shared/json.ts';
import { createRedactor } from '../gateway/redactor.ts';
import type { ParsedRequest } from '../operations/any-operation.ts';

type Recorded = Pick<ParsedRequest, 'request' | 'preview'> & { extraBody: JsonObject };

/** What is sent stays as it was written; a header or a prompt with the key must not outlive main. */
export function recordedRequest(
  { request, preview, extraBody }: Recorded,
  key: string | null,
): Recorded {
  const redactor = createRedactor(key);
  const clean = (value: JsonObject): JsonObject => {
    const text = JSON.stringify(value);
    const redacted = redactor.text(text);
    return redacted === text ? value : JSON.parse(redacted);
  };
  return {
    request: clean(request),
    extraBody: clean(extraBody),
    preview: redactor.text(preview),
  };
}
