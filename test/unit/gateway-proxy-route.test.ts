import { describe, expect, it } from 'vitest';
import { findProxy } from '../../electron/gateway/proxy-route.ts';

const through = async (
  url: string,
  environment: Record<string, string>,
  pac: string | null = null,
) => {
  const systemProxy = pac === null ? null : async () => pac;
  const proxy = await findProxy(new URL(url), { environment, systemProxy });
  return proxy && `${proxy.protocol}//${proxy.hostname}:${proxy.port}`;
};

describe('the environment’s proxy', () => {
  const both = { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY: 'secure:2' };

  it.each([
    ['http://a.example', both, 'http://plain:1'],
    ['https://a.example', both, 'http://secure:2'],
    ['https://a.e', { https_proxy: 'https://low', HTTPS_PROXY: 'http://up' }, 'https://low:443'],
    ['https://a.example', { ALL_PROXY: 'socks5://s' }, 'socks5://s:1080'],
    ['http://a.example', { all_proxy: 'socks5h://s:1' }, 'socks5://s:1'],
    ['https://a.example', { ALL_PROXY: 'socks4a://s' }, 'socks4://s:1080'],
    ['https://a.example', { ALL_PROXY: 'socks://s' }, 'socks5://s:1080'],
    ['https://a.example', { ALL_PROXY: 'ftp://s' }, null],
    ['https://a.example', { HTTPS_PROXY: '' }, null],
    ['https://a.example', { ...both, NO_PROXY: 'b.example, a.example' }, null],
    ['https://x.a.example', { ...both, NO_PROXY: '.a.example' }, null],
    ['https://x.a.example', { ...both, NO_PROXY: '*.a.example' }, null],
    ['https://ba.example', { ...both, NO_PROXY: 'a.example' }, 'http://secure:2'],
    ['https://a.example', { ...both, NO_PROXY: 'a.example:8443' }, 'http://secure:2'],
    ['https://a.example:8443', { ...both, NO_PROXY: 'a.example:8443' }, null],
    ['https://a.example', { ...both, no_proxy: '*' }, null],
    ['http://localhost:1', both, null],
    ['http://127.9.9.9', both, null],
    ['http://[::1]:1', both, null],
  ])('routes %s under %o to %s', async (url, environment, expected) => {
    expect(await through(url, environment)).toBe(expected);
  });

  it('takes precedence over the system’s, even if it names no proxy', async () => {
    const environment = { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example' };
    expect(await through('https://a.example', environment, 'PROXY system:9')).toBeNull();
    expect(await through('https://b.example', environment, 'PROXY system:9')).toBe('http://p:1');
  });
});

describe('the system’s proxy', () => {
  it.each([
    ['DIRECT', null],
    ['PROXY p.example:3128; DIRECT', 'http://p.example:3128'],
    ['HTTPS p.example:443', 'https://p.example:443'],
    ['SOCKS5 s:1080; PROXY p.example:3128', 'socks5://s:1080'],
    ['SOCKS5 s:1081', 'socks5://s:1081'],
    ['SOCKS s:1081; DIRECT', 'socks4://s:1081'],
    ['QUIC q:1; SOCKS4 s:1081', 'socks4://s:1081'],
    ['nonsense', null],
  ])('reads the system’s proxy %s', async (pac, expected) => {
    expect(await through('https://a.example', {}, pac)).toBe(expected);
  });

  it('connects directly if the system’s proxy can’t be read', async () => {
    const systemProxy = () => Promise.reject(new Error('no session'));
    const url = new URL('https://a.example');
    expect(await findProxy(url, { environment: {}, systemProxy })).toBeNull();
  });
});
