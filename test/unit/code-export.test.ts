import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { getCurl } from '../../renderer/run/code/curl.ts';
import { getPython } from '../../renderer/run/code/python.ts';

const post = {
  method: 'POST',
  url: 'https://gateway.example/v1/chat/completions',
  headers: [
    ['content-type', 'application/json'],
    ['accept', 'text/event-stream'],
    ['authorization', 'Bearer ••••1234'],
    ['content-length', '12'],
  ] as [string, string][],
};

/** Runs the command in a shell with a curl that prints its arguments. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }\n${command}`;
  const output = execFileSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { GATEHOUSE_API_KEY: 'the-key' },
  });
  return output.split('\0').slice(0, -1);
}

describe('getCurl', () => {
  it('reads the key from the environment', () => {
    const command = getCurl({ ...post, body: '{"model":"m"}' });
    expect(command).toContain('"authorization: Bearer $GATEHOUSE_API_KEY"');
    expect(command).not.toContain('1234');
    expect(command).not.toContain('content-length');
    expect(argumentsOf(command)).toContain('authorization: Bearer the-key');
  });

  it('indents a body if that doesn’t change its value', () => {
    expect(getCurl({ ...post, body: '{"model":"m"}' })).toContain('{\n  "model": "m"\n}');
    const body = '{"seed":12345678901234567890}';
    expect(getCurl({ ...post, body })).toContain('\'{\n  "seed": 12345678901234567890\n}\'');
    expect(getCurl({ ...post, body: '{"seed":1.0}' })).toContain(`'{"seed":1.0}'`);
    expect(argumentsOf(getCurl({ ...post, body: '@/etc/passwd' }))).toContain('@/etc/passwd');
  });

  it('prevents URL globbing', () => {
    const url = 'https://gateway.example/v1/models?filter[owner]={me}';
    expect(argumentsOf(getCurl({ ...post, url, body: '{}' }))).toContain('--globoff');
    expect(getCurl({ ...post, body: '{}' })).not.toContain('--globoff');
  });

  it('reads streams without buffering', () => {
    expect(getCurl({ ...post, body: '{}' })).toContain('--no-buffer');
  });

  it('adds the method if curl would use another', () => {
    expect(getCurl({ ...post, method: 'GET', headers: [], body: null })).toBe(
      "curl 'https://gateway.example/v1/chat/completions'",
    );
    expect(getCurl({ ...post, method: 'DELETE', headers: [], body: null })).toContain(
      '--request DELETE',
    );
  });
});

describe('getPython', () => {
  it('sends fractions as text if Python would write them with an exponent', () => {
    const code = (body: string) => getPython({ ...post, body });
    expect(code('{"p":0.00005}')).toContain(String.raw`body = "{\"p\":0.00005}"`);
    expect(code('{"p":0.0001}')).toContain('"p": 0.0001');
  });
});
