/** Splits multipart/form-data as its bytes come (https://www.rfc-editor.org/rfc/rfc7578). */
import { invalidRequest } from './failure.ts';

export interface FormPart {
  name: string;
  /** Null for a plain field. */
  fileName: string | null;
  type: string | null;
  /** To be read whole before the next part is read. */
  chunks: AsyncIterable<Buffer>;
}

const HEAD_LIMIT_BYTES = 16 * 1024;

export async function* splitForm(
  source: AsyncIterable<unknown>,
  boundary: string,
): AsyncGenerator<FormPart, void> {
  const bytes = source[Symbol.asyncIterator]();
  const mark = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // The first boundary is at the very start, without the line break of the others.
  let pending: Buffer = Buffer.from('\r\n', 'latin1');

  async function more(): Promise<void> {
    const { done, value } = await bytes.next();
    if (done) throw malformed();
    if (value instanceof Uint8Array) pending = Buffer.concat([pending, value]);
  }

  /** Everything up to the next mark, which is consumed. */
  async function* untilMark(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const at = pending.indexOf(mark);
      const ready = at >= 0 ? at : Math.max(0, pending.length - mark.length + 1);
      if (ready > 0) yield pending.subarray(0, ready);
      pending = pending.subarray(at >= 0 ? at + mark.length : ready);
      if (at >= 0) return;
      await more();
    }
  }

  for await (const _preamble of untilMark());
  for (;;) {
    while (pending.length < 2) await more();
    if (pending.toString('latin1', 0, 2) === '--') break;
    while (pending.indexOf('\r\n\r\n') < 0) {
      if (pending.length > HEAD_LIMIT_BYTES) throw malformed();
      await more();
    }
    const end = pending.indexOf('\r\n\r\n');
    const head = pending.toString('utf8', 0, end);
    pending = pending.subarray(end + 4);
    yield { ...readHead(head), chunks: untilMark() };
  }
  // An epilogue has no meaning, but the connection can only be used again once it is read.
  while (!(await bytes.next()).done);
}

function readHead(head: string): Omit<FormPart, 'chunks'> {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1] ?? '';
  const name = parameter(disposition, 'name');
  if (name === null) throw malformed();
  const type = /^content-type:\s*([^\r\n]+)$/im.exec(head)?.[1]?.trim() ?? null;
  return { name, fileName: parameter(disposition, 'filename'), type };
}

/** Browsers and clients write `"` and line breaks inside names as %22, %0D and %0A, some as `\"`. */
function parameter(disposition: string, name: string): string | null {
  const found = new RegExp(`(?:^|;)\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(
    disposition,
  )?.[1];
  if (found === undefined) return null;
  return found
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D|%0A/gi, ' ');
}

function malformed() {
  return invalidRequest('The multipart/form-data body is malformed.', null);
}
