import { format } from '@wasm-fmt/gofmt';
import { describe, expect, it } from 'vitest';
import { getGo } from '../../renderer/run/code/go.ts';
import { getJava } from '../../renderer/run/code/java.ts';
import type { CodeResponse } from '../../shared/operations/operation.ts';
import type { SentRequest } from '../../shared/run.ts';

const mediaId = 'A'.repeat(22);
const file = `<base64 of a "b".png, 3 kB, media:${mediaId}>`;
const long = 'x'.repeat(70_000);

const bodies: Record<string, string | null> = {
  none: null,
  text: 'plain `text`\r\nin two lines',
  'short JSON': '{"model":"m"}',
  'long JSON': JSON.stringify({ list: Array.from({ length: 30 }, (_, index) => `item ${index}`) }),
  'JSON with files': JSON.stringify({ a: file, b: [`data:image/png;base64,${file}`], c: '`' }),
  'long text': JSON.stringify({ long }),
};

const form = JSON.stringify({
  fields: [['a "name"', 'a\nvalue']],
  files: [{ name: 'file', filename: 'a "b".png', type: '', sizeBytes: 1 }],
});

const responses: CodeResponse[] = [
  { kind: 'text' },
  { kind: 'stream' },
  { kind: 'file', name: 'it\'s "a".png' },
];

function createRequest(body: string | null, type = 'application/json'): SentRequest {
  return {
    method: body === null ? 'GET' : 'POST',
    url: 'https://gateway.example/v1/x?a=[redacted]',
    headers: [
      ['content-type', type],
      ['authorization', 'Bearer [redacted]'],
      ['x-twice', '1'],
      ['X-Twice', '2'],
    ],
    body,
  };
}

const requests = [
  ...Object.entries(bodies).map(([name, body]): [string, SentRequest] => [
    name,
    createRequest(body),
  ]),
  ['form', createRequest(form, 'multipart/form-data; boundary=b')] as [string, SentRequest],
];

describe.each(requests)('getGo with a body: %s', (_name, request) => {
  it.each(responses)('formats a $kind response like gofmt', (response) => {
    const code = getGo(request, response);
    expect(code).toBe(format(code));
  });

  it.each(responses)('imports only packages that it uses for a $kind response', (response) => {
    const code = getGo(request, response);
    const [, listed = '', rest = ''] = /^import \(\n(.*?)\n\)(.*)$/ms.exec(code) ?? [];
    const imported = listed.split('\n').map((line) => line.trim().replaceAll('"', ''));
    expect(imported).toEqual([...imported].sort());
    const unquoted = rest.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, '');
    const used = [
      ...unquoted.matchAll(
        /(?<![\w.])(bufio|bytes|base64|fmt|io|log|multipart|http|textproto|os|strings)\./g,
      ),
    ];
    expect(new Set(imported.map((name) => name.split('/').at(-1)))).toEqual(
      new Set(used.map(([, name]) => name)),
    );
  });
});

describe.each(requests)('getJava with a body: %s', (_name, request) => {
  it.each(responses)('imports only classes that it uses for a $kind response', (response) => {
    const code = getJava(request, response);
    const imports = [...code.matchAll(/^import ([\w.]+);$/gm)].map(([, name = '']) => name);
    expect(imports).toEqual([...imports].sort());
    const rest = code.replace(/^import .*$/gm, '');
    for (const name of imports) {
      expect(rest).toMatch(new RegExp(`\\b${name.split('.').at(-1)}\\b`));
    }
  });

  it('keeps every constant short enough for a class file', () => {
    const constants = getJava(request).match(/"""[\s\S]*?"""|"(?:[^"\\]|\\.)*"/g) ?? [];
    for (const constant of constants) expect(constant.length).toBeLessThan(65_536);
  });
});
