import { describe, expect, it } from 'vitest';
import { decodeText } from '../../electron/base/decode-text.ts';
import { getResponseKind } from '../../electron/gateway/response-kind.ts';
import { sniffMedia } from '../../electron/media/sniff.ts';

/** Implements https://mimesniff.spec.whatwg.org/#binary-data-byte. */
function isBinary(code: number): boolean {
  return code <= 0x08 || code === 0x0b || (code >= 0x0e && code <= 0x1a) || isSeparator(code);
}
const isSeparator = (code: number): boolean => code >= 0x1c && code <= 0x1f;

const characters = Array.from({ length: 0xa0 }, (_, code) => code);

describe('a control character', () => {
  it('counts text as binary only if the standard does', () => {
    const bytes = characters.filter(
      (code) => decodeText(Buffer.from(`one${String.fromCharCode(code)}two`)) === null,
    );
    expect(bytes).toEqual(characters.filter(isBinary));
  });

  it('has the same effect in a response and in a file', () => {
    const head = { status: 200, headers: [] };
    for (const code of characters) {
      const bytes = Buffer.from(`Some words, then ${String.fromCharCode(code)} and more of them.`);
      const isText = sniffMedia(bytes, null).type === 'text/plain';
      expect([code, getResponseKind('any', head, bytes, true)]).toEqual([
        code,
        isText ? 'document' : 'bytes',
      ]);
    }
  });
});

it('accepts a character truncated at the end, but rejects a malformed one', () => {
  expect(decodeText(Buffer.from('Grüße').subarray(0, 3))).toBe('Gr');
  expect(decodeText(Buffer.from([0x47, 0xc3, 0x28]))).toBeNull();
});
