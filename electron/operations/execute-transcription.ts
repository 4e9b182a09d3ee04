/** Transcription: a form whose file is streamed from the media store. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { transcriptionEndpoint } from '../../shared/operations/transcription/request.ts';
import type { Ending } from '../runs/ending.ts';
import type { RunContext } from '../runs/run-context.ts';
import { multipartFile } from './multipart-file.ts';

export async function executeTranscription(context: RunContext): Promise<Ending> {
  const { file, ...rest } = context.request;
  const { method, path } = transcriptionEndpoint;
  const reference = typeof file === 'string' ? file : '';
  return context.send({
    method,
    path,
    headers: [],
    body: {
      fields: formFields(rest, context.extraBody),
      file: multipartFile(context.media, reference, { name: 'file', filename: null }),
    },
    accepts: 'text',
  });
}

/** Every value as text; a list becomes a field for each of its items. */
export function formFields(
  { granularities_field: spelling, ...request }: JsonObject,
  extraBody: JsonObject,
): [name: string, value: string][] {
  return Object.entries({ ...request, ...extraBody }).flatMap(([field, value]) => {
    const renamed = field === 'timestamp_granularities' && typeof spelling === 'string';
    const name = renamed ? spelling : field;
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((item): [string, string][] =>
      item === null ? [] : [[name, fieldText(item)]],
    );
  });
}

function fieldText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
