/** The console: one request of any kind under the base URL, its reply kept unchanged. */
import {
  type ConsoleRequest,
  consoleRequestSchema,
} from '../../shared/operations/console/request.ts';
import type { MultipartBody } from '../gateway/multipart.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { RunResult } from '../runs/ending.ts';
import type { RunContext } from '../runs/run-context.ts';
import { multipartFile } from './multipart-file.ts';

export async function executeConsole(context: RunContext): Promise<RunResult> {
  const request = consoleRequestSchema.parse(context.input.request);
  const { method, path, headers = [] } = request;
  const body = request.multipart ? form(request.multipart, context.media) : request.body || null;
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return context.send({
    method,
    path,
    headers:
      typeof body === 'string' && !isTyped
        ? [['Content-Type', 'application/json'], ...headers]
        : headers,
    body,
    accepts: 'any',
    redirects: 'none',
  });
}

function form(
  { fields, file }: NonNullable<ConsoleRequest['multipart']>,
  store: MediaStore,
): MultipartBody {
  return {
    fields,
    file:
      file &&
      multipartFile(store, file.media, { name: file.name, filename: file.filename ?? null }),
  };
}
