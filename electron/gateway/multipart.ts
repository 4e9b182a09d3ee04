/** Builds a multipart/form-data body of known length that streams its files from disk. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

export interface MultipartBody {
  fields: [name: string, value: string][];
  /** Recorded instead of `fields`, without the content of inlined files. */
  shownFields?: MultipartBody['fields'];
  files: readonly MultipartFile[];
}

export interface MultipartFile {
  name: string;
  filename: string;
  type: string;
  path: string;
  sizeBytes: number;
  durationSeconds?: number;
  /** Recorded to find the file again: `media:<id>`. */
  reference?: string;
}

const READ_BYTES = 256 * 1024;
const LINE_BREAK = Buffer.from('\r\n');

export interface MultipartForm {
  contentType: string;
  /** In bytes. */
  contentLength: number;
  /** JSON for the record, with references in place of file contents. */
  shown: string;
  /** Streams the body from its start. */
  open(): Readable;
  /** Returns why a file couldn't be read, or null. */
  problem(): Error | null;
}

/** A custom `boundary` must not occur in the body; the default is random. */
export function createMultipartForm(body: MultipartBody, boundary: string): MultipartForm {
  const { files } = body;
  const fields = toWellFormed(body.fields);
  const opening = Buffer.from(
    fields.map(([name, value]) => writeFieldPart(boundary, name, value)).join(''),
  );
  const parts = files.map((file) => ({ file, head: Buffer.from(writeFileHead(boundary, file)) }));
  const ending = Buffer.from(`--${boundary}--\r\n`);
  let problem: Error | null = null;

  async function* bytes(): AsyncGenerator<Uint8Array> {
    if (opening.byteLength > 0) yield opening;
    for (const { file, head } of parts) {
      yield head;
      try {
        yield* readFileBytes(file);
      } catch (cause) {
        problem = cause instanceof Error ? cause : new Error(String(cause));
        throw problem;
      }
      yield LINE_BREAK;
    }
    yield ending;
  }

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: parts.reduce(
      (sum, { file, head }) => sum + head.byteLength + file.sizeBytes + LINE_BREAK.byteLength,
      opening.byteLength + ending.byteLength,
    ),
    shown: JSON.stringify({
      fields: toWellFormed(body.shownFields ?? body.fields),
      files: files.map(({ path: _path, ...file }) => file),
    }),
    open: () => Readable.from(bytes(), { objectMode: false, highWaterMark: READ_BYTES }),
    problem: () => problem,
  };
}

/** Lone surrogates can't be encoded, so they are replaced to record exactly what is sent. */
function toWellFormed(fields: MultipartBody['fields']): MultipartBody['fields'] {
  return fields.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]);
}

/** Throws if the file has become shorter than the Content-Length. */
async function* readFileBytes({ path, sizeBytes }: MultipartFile): AsyncGenerator<Uint8Array> {
  if (sizeBytes === 0) return;
  let left = sizeBytes;
  const file = createReadStream(path, { end: sizeBytes - 1, highWaterMark: READ_BYTES });
  for await (const chunk of file) {
    left -= chunk.byteLength;
    yield chunk;
  }
  if (left > 0) throw new Error(`The file is ${left} bytes shorter than it was.`);
}

function writeFieldPart(boundary: string, name: string, value: string): string {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`;
  return `${head}\r\n\r\n${value.replace(/\r\n|\r|\n/g, '\r\n')}\r\n`;
}

function writeFileHead(boundary: string, { name, filename, type }: MultipartFile): string {
  const names = `name="${escapeName(name)}"; filename="${escapeName(filename)}"`;
  const declared = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? type : 'application/octet-stream';
  return `--${boundary}\r\nContent-Disposition: form-data; ${names}\r\nContent-Type: ${declared}\r\n\r\n`;
}

/**
 * Escapes names as browsers do: https://html.spec.whatwg.org/multipage/form-control-
 * infrastructure.html#multipart-form-data
 */
function escapeName(name: string): string {
  return name.replace(/\r\n|\r|\n/g, '%0D%0A').replaceAll('"', '%22');
}
