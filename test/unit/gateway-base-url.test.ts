import { expect, it } from 'vitest';
import { endpointUrl } from '../../electron/gateway/wire-request.ts';

it.each([
  ['https://gateway.example', 'https://gateway.example/v1/models'],
  ['https://gateway.example/', 'https://gateway.example/v1/models'],
  ['https://gateway.example/v1', 'https://gateway.example/v1/models'],
  ['https://gateway.example/v1/', 'https://gateway.example/v1/models'],
  ['https://gateway.example/v1beta//', 'https://gateway.example/v1/models'],
  [' https://gateway.example/team/a/v1 ', 'https://gateway.example/team/a/v1/models'],
  ['http://127.0.0.1:8080/prefix', 'http://127.0.0.1:8080/prefix/v1/models'],
  ['http://[::1]:8080', 'http://[::1]:8080/v1/models'],
])('finds the endpoint under %s', (baseUrl, url) => {
  expect(endpointUrl(baseUrl, '/v1/models').href).toBe(url);
});

it('keeps a model name with a slash in one path segment', () => {
  const path = `/v1beta/models/${encodeURIComponent('google/gemini')}:generateContent`;
  expect(endpointUrl('https://gateway.example/v1', path).pathname).toBe(
    '/v1beta/models/google%2Fgemini:generateContent',
  );
});
