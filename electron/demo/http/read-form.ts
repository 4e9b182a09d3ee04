/** Reads a multipart form: fields into memory, the file to disk as it comes. */
import type { IncomingMessage } from 'node:http';
import { createScratchFile, type ScratchFile } from '../media/scratch-file.ts';
import { DemoError, invalidRequest } from './failure.ts';
import { type FormPart, splitForm } from './split-form.ts';

const FIELD_LIMIT_BYTES = 1024 * 1024;
const FILE_LIMIT_BYTES = 2 * 1024 ** 3;

export interface ReceivedFile {
  name: string;
  declaredType: string | null;
  path: string;
  sizeBytes: number;
}

export interface ReceivedForm {
  fields: [string, string][];
  /** The first file named `file`. */
  file: ReceivedFile | null;
  /** Deletes the file. */
  dispose: () => Promise<void>;
}

export async function readForm(request: IncomingMessage): Promise<ReceivedForm> {
  const type = request.headers['content-type'] ?? '';
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalidRequest('Send the audio as multipart/form-data.', null);
  const fields: [string, string][] = [];
  let scratch: ScratchFile | null = null;
  let file: ReceivedFile | null = null;
  const dispose = async () => scratch?.dispose();
  try {
    const chunks = request.iterator({ destroyOnReturn: false });
    for await (const part of splitForm(chunks, boundary)) {
      if (part.name !== 'file' || part.fileName === null || file !== null) {
        fields.push([part.name, await readField(part)]);
        continue;
      }
      scratch = await createScratchFile();
      const sizeBytes = await writePart(part, scratch);
      file = { name: part.fileName, declaredType: part.type, path: scratch.path, sizeBytes };
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return { fields, file, dispose };
}

async function readField({ chunks }: FormPart): Promise<string> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > FIELD_LIMIT_BYTES) throw tooLarge('A form field is larger than 1 MB.');
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function writePart({ chunks }: FormPart, { file }: ScratchFile): Promise<number> {
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > FILE_LIMIT_BYTES) throw tooLarge('The file is larger than 2 GB.');
    await file.write(chunk);
  }
  return sizeBytes;
}

function tooLarge(message: string): DemoError {
  return new DemoError(413, message, {
    type: 'invalid_request_error',
    code: 'request_too_large',
    headers: { connection: 'close' },
  });
}
