/** Decodes response text in its declared charset, or as UTF-8 by default. */
import { StringDecoder } from 'node:string_decoder';

export interface CharsetDecoder {
  write(bytes: Buffer): string;
  /** Returns the text that was held back. */
  end(): string;
}

/** `opening` is the start of the body, because a web page may declare its charset only there. */
export function createCharsetDecoder(contentType: string | null, opening: Buffer): CharsetDecoder {
  const encoding = findEncoding(contentType ?? '', opening);
  if (encoding === null) {
    const utf8 = new StringDecoder('utf8');
    return { write: (bytes) => utf8.write(bytes), end: () => '' };
  }
  // Old servers declare Latin-1 by default, even for UTF-8.
  return encoding === 'windows-1252' ? decodeLatin() : decodeAs(encoding);
}

/** Returns the encoding by its WHATWG name, or null for UTF-8 and for unknown names. */
function findEncoding(contentType: string, opening: Buffer): string | null {
  const page = /html/i.test(contentType) ? opening.toString('latin1', 0, 1024) : '';
  const label =
    /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(page)?.[1];
  try {
    const { encoding } = new TextDecoder(label);
    return encoding === 'utf-8' ? null : encoding;
  } catch {
    return null;
  }
}

function decodeAs(encoding: string): CharsetDecoder {
  const decoder = new TextDecoder(encoding);
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}

function decodeLatin(): CharsetDecoder {
  const chunks: Buffer[] = [];
  return {
    write(bytes) {
      chunks.push(bytes);
      return '';
    },
    end() {
      const body = Buffer.concat(chunks);
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(body);
      } catch {
        return new TextDecoder('windows-1252').decode(body);
      }
    },
  };
}
