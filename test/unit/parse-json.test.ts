import { describe, expect, it } from 'vitest';
import { parseJson } from '../../shared/parse-json.ts';

const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('parseJson', () => {
  it('reads nesting up to 512 levels', () => {
    expect(parseJson(nested(512))).toBeDefined();
    expect(parseJson(nested(513))).toBeUndefined();
    expect(parseJson(nested(100_000))).toBeUndefined();
  });

  it('ignores brackets within texts', () => {
    const text = `${'['.repeat(2000)}\\"${'{'.repeat(2000)}\\\\`;
    expect(parseJson(`{"a":"${text}","b":[1]}`)).toMatchObject({ b: [1] });
  });

  it('drops NUL characters that make JSON unreadable', () => {
    expect(parseJson('{"a":"b\0\0"}\0')).toEqual({ a: 'b' });
    expect(parseJson('\0')).toBeUndefined();
  });
});
