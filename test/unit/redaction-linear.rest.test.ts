/** Covers gateways that repeat the key thousands of times, because they know it. */
import { expect, it } from 'vitest';
import { redactDocument } from '../../electron/gateway/response-reader.ts';
import { createRedactor } from '../../electron/redaction/redactor.ts';
import { expectLinear } from '../fixtures/expect-linear.ts';

const KEY = 'sk-canary-7Qz93xKdlmP4';
const redactor = createRedactor(KEY);

const encoded = [...KEY].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');

it.each<[string, number, (count: number) => string]>([
  ['URL-encoded', 30_000, (count) => `${encoded} `.repeat(count)],
  [
    'in pieces',
    50_000,
    (count) => JSON.stringify(Array(count).fill([KEY.slice(0, 9), KEY.slice(9)])),
  ],
])('masks a document that repeats the key %s in linear time', (_name, size, toText) =>
  expectLinear(size, toText, async (text) => {
    expect(await redactDocument(text, redactor)).not.toMatch(/xKdlm|%37%51%7a/);
  }),
);
