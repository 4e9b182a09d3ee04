import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { z } from 'zod';

/** Runs `test/bench/measure/<name>.ts` in its own process, and parses the JSON that it prints. */
export async function runMeasure<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  args: readonly string[] = [],
): Promise<z.infer<Schema>> {
  const script = join(import.meta.dirname, '../measure', `${name}.ts`);
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, ...args], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return schema.parse(JSON.parse(stdout));
}
