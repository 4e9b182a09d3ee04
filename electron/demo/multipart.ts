/** Streams multipart/form-data (RFC 7578), keeping fields in memory and files on disk. */
import type { IncomingMessage } from 'node:http';
import { createScratchFile, type ScratchFile } from './media/inspect-media.ts';
import { createInvalidRequest, createTooLarge } from './requests.ts';

const MAX_FIELD_BYTES = 1024 ** 2;
const MAX_FILE_BYTES = 2 * 1024 ** 3;
/** 16 images and a mask. */
const MAX_FILES = 17;
const MAX_HEAD_BYTES = 16 * 1024;

export interface ReceivedFile {
  field: string;
  name: string;
  path: string;
  sizeBytes: number;
}

interface ReceivedForm {
  fields: [string, string][];
  files: ReceivedFile[];
  dispose: () => Promise<void>;
}

/** A part is a file if it has a name and its field is in `fileFields`. */
export async function readForm(
  request: IncomingMessage,
  fileFields: readonly string[],
): Promise<ReceivedForm> {
  const type = request.headers['content-type'] ?? '';
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw createInvalidRequest('Send the file as multipart/form-data.', null);
  const fields: [string, string][] = [];
  const files: ReceivedFile[] = [];
  const opened: ScratchFile[] = [];
  const dispose = async () => {
    await Promise.all(opened.map((scratch) => scratch.dispose()));
  };
  try {
    const chunks = request.iterator({ destroyOnReturn: false });
    for await (const part of splitForm(chunks, boundary)) {
      if (!fileFields.includes(part.name) || part.fileName === null) {
        fields.push([part.name, await readField(part)]);
        continue;
      }
      if (opened.length >= MAX_FILES)
        throw createTooLarge(`The form has more than ${MAX_FILES} files.`);
      const scratch = await createScratchFile();
      opened.push(scratch);
      const sizeBytes = await writePart(part, scratch);
      files.push({ field: part.name, name: part.fileName, path: scratch.path, sizeBytes });
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return { fields, files, dispose };
}

async function readField({ chunks }: FormPart): Promise<string> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_FIELD_BYTES) throw createTooLarge('A form field is larger than 1 MiB.');
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function writePart({ chunks }: FormPart, { file }: ScratchFile): Promise<number> {
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_FILE_BYTES) throw createTooLarge('The file is larger than 2 GiB.');
    await file.write(chunk);
  }
  return sizeBytes;
}

interface FormPart {
  name: string;
  fileName: string | null;
  /** Callers must read all chunks of a part before requesting the next part. */
  chunks: AsyncIterable<Buffer>;
}

async function* splitForm(
  source: AsyncIterable<unknown>,
  boundary: string,
): AsyncGenerator<FormPart, void> {
  const bytes = source[Symbol.asyncIterator]();
  const mark = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // The first boundary isn't preceded by a line break.
  let pending: Buffer = Buffer.from('\r\n', 'latin1');

  async function more(): Promise<void> {
    const { done, value } = await bytes.next();
    if (done) throw createMalformedError();
    if (value instanceof Uint8Array) pending = Buffer.concat([pending, value]);
  }

  /** Yields the bytes before the next mark, then skips the mark. */
  async function* readUntilMark(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const at = pending.indexOf(mark);
      const ready = at >= 0 ? at : Math.max(0, pending.length - mark.length + 1);
      if (ready > 0) yield pending.subarray(0, ready);
      pending = pending.subarray(at >= 0 ? at + mark.length : ready);
      if (at >= 0) return;
      await more();
    }
  }

  for await (const _preamble of readUntilMark());
  for (;;) {
    while (pending.length < 2) await more();
    if (pending.toString('latin1', 0, 2) === '--') break;
    while (pending.indexOf('\r\n\r\n') < 0) {
      if (pending.length > MAX_HEAD_BYTES) throw createMalformedError();
      await more();
    }
    const end = pending.indexOf('\r\n\r\n');
    const head = pending.toString('utf8', 0, end);
    pending = pending.subarray(end + 4);
    yield { ...readHead(head), chunks: readUntilMark() };
  }
  // Read the rest of the body, because the connection can't be reused until then.
  while (!(await bytes.next()).done);
}

function readHead(head: string): Omit<FormPart, 'chunks'> {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1] ?? '';
  const name = findParameter(disposition, 'name');
  if (name === null) throw createMalformedError();
  return { name, fileName: findParameter(disposition, 'filename') };
}

/** Decodes names; clients encode `"` and line breaks as %22, %0D and %0A, or `"` as `\"`. */
function findParameter(disposition: string, name: string): string | null {
  const found = new RegExp(`(?:^|;)\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(
    disposition,
  )?.[1];
  if (found === undefined) return null;
  return found
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D|%0A/gi, ' ');
}

function createMalformedError() {
  return createInvalidRequest('The multipart/form-data body is malformed.', null);
}
