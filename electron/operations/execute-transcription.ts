/** Transcription: a form whose file is streamed from the media store. */
import { transcriptionOperation } from '../../shared/operations/transcription/transcription.ts';
import type { RunResult } from '../runs/ending.ts';
import type { RunContext } from '../runs/run-context.ts';
import { toFormFields } from './execute-json.ts';
import { multipartFile } from './multipart-file.ts';

export async function executeTranscription(context: RunContext): Promise<RunResult> {
  const { file, ...request } = context.input.request;
  const { method, path } = transcriptionOperation;
  const reference = typeof file === 'string' ? file : '';
  return context.send({
    method,
    path,
    headers: [],
    body: {
      fields: toFormFields({ ...context.input, request }),
      file: multipartFile(context.media, reference, { name: 'file', filename: null }),
    },
    accepts: 'text',
  });
}
