import type { JsonValue } from '../../../../../shared/json.ts';
import { parseRounded } from '../../../../../shared/parse-json.ts';
import type { SchemaValidation } from './validate-json.ts';

const TIME_MS = 4000;

/** Validates in a worker, because a schema's pattern can take forever and may come from a server. */
export function validateOnThread(text: string, schema: JsonValue): Promise<SchemaValidation> {
  const worker = new Worker(new URL('./validate-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve } = Promise.withResolvers<SchemaValidation>();
  const fail = (message: string) => resolve({ kind: 'bad-schema', message });
  const timer = setTimeout(() => fail('The check took too long.'), TIME_MS);
  worker.onmessage = ({ data }: MessageEvent<SchemaValidation>) => resolve(data);
  worker.onerror = () => fail('Schema validation couldn’t start.');
  // Convert exact numbers, which are objects, to plain JSON numbers.
  worker.postMessage({ text, schema: parseRounded(JSON.stringify(schema)) });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
