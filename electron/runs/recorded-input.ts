/** What of an input is recorded: all of it but the connection's key, wherever the user wrote it. */
import type { RunInput } from '../../shared/run-input.ts';
import { createRedactor } from '../gateway/redactor.ts';

type Recorded = RunInput & { preview: string };

/** What is sent stays as it was written; a header or a prompt with the key must not outlive main. */
export function recordedInput(asked: Recorded, key: string | null): Recorded {
  const { request, extraBody, wireNames, follow, preview } = asked;
  const redactor = createRedactor(key);
  const clean = <Value>(value: Value): Value => {
    const text = JSON.stringify(value);
    const redacted = redactor.text(text);
    return redacted === text ? value : JSON.parse(redacted);
  };
  return {
    request: clean(request),
    extraBody: clean(extraBody),
    wireNames: clean(wireNames),
    follow: clean(follow),
    preview: redactor.text(preview),
  };
}
