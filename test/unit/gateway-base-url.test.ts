import { expect, it } from 'vitest';
import { resolveEndpoint } from '../../electron/gateway/wire-request.ts';
import { connectionInputSchema } from '../../shared/connection.ts';
import { cutEndpoint } from '../../shared/pasted-connection.ts';

it.each([
  ['https://gateway.example', 'https://gateway.example/v1/models'],
  ['https://gateway.example/', 'https://gateway.example/v1/models'],
  ['https://gateway.example/v1', 'https://gateway.example/v1/models'],
  ['https://gateway.example/v1/', 'https://gateway.example/v1/models'],
  ['https://gateway.example/v1beta//', 'https://gateway.example/v1/models'],
  [' https://gateway.example/team/a/v1 ', 'https://gateway.example/team/a/v1/models'],
  ['http://127.0.0.1:8080/prefix', 'http://127.0.0.1:8080/prefix/v1/models'],
  ['http://[::1]:8080', 'http://[::1]:8080/v1/models'],
  ['https://gateway.example/v1/chat/completions', 'https://gateway.example/v1/models'],
  ['https://gateway.example/openai/v1', 'https://gateway.example/openai/v1/models'],
  ['https://gateway.example/api/v3', 'https://gateway.example/api/v3/models'],
  ['https://gateway.example/api/v3/', 'https://gateway.example/api/v3/models'],
  ['https://gateway.example/api/paas/v4', 'https://gateway.example/api/paas/v4/models'],
  ['https://gateway.example/v1beta/openai', 'https://gateway.example/v1beta/openai/models'],
  ['https://gateway.example/v1/openai/', 'https://gateway.example/v1/openai/models'],
  ['https://gateway.example/v1alpha', 'https://gateway.example/v1alpha/models'],
  ['https://gateway.example/client/v4/ai/v1', 'https://gateway.example/client/v4/ai/v1/models'],
  ['https://gateway.example/v2ray', 'https://gateway.example/v2ray/v1/models'],
])('finds the endpoint under %s', (baseUrl, url) => {
  expect(resolveEndpoint(baseUrl, '/v1/models').href).toBe(url);
});

it('uses the paths of an Azure deployment, and the model list of its resource', () => {
  const base = 'https://mine.openai.azure.com/openai/deployments/gpt-4o';
  expect(resolveEndpoint(base, '/v1/chat/completions').href).toBe(`${base}/chat/completions`);
  expect(resolveEndpoint(`${base}/`, '/v1/audio/speech').href).toBe(`${base}/audio/speech`);
  expect(resolveEndpoint(base, '/v1/models').href).toBe(
    'https://mine.openai.azure.com/openai/models',
  );
  expect(cutEndpoint(`${base}/chat/completions`).baseUrl).toBe(base);
});

it('keeps a model name with a slash in one path segment', () => {
  const path = `/v1beta/models/${encodeURIComponent('google/gemini')}:generateContent`;
  expect(resolveEndpoint('https://gateway.example/v1', path).pathname).toBe(
    '/v1beta/models/google%2Fgemini:generateContent',
  );
});

it('doesn’t add a version to a path that already contains one', () => {
  const path = '/v1beta/models/gemini:generateContent';
  const url = resolveEndpoint('https://gateway.example/api/v3', path);
  expect(url.pathname).toBe('/api/v3/models/gemini:generateContent');
});

it.each([
  ['/v1/chat/completions', '/v1', '/chat/completions'],
  ['/v1/chat/completions/', '/v1', '/chat/completions'],
  ['/V1/Completions', '/V1', '/Completions'],
  ['/api/v3/responses', '/api/v3', '/responses'],
  ['/anthropic/v1/messages', '/anthropic/v1', '/messages'],
  ['/embeddings', '', '/embeddings'],
  ['/v1/images/generations', '/v1', '/images/generations'],
  ['/v1/images/edits', '/v1', '/images/edits'],
  ['/v1/audio/speech', '/v1', '/audio/speech'],
  ['/v1/audio/transcriptions', '/v1', '/audio/transcriptions'],
  ['/v1/audio/translations', '/v1', '/audio/translations'],
  ['/v1/video/generations', '/v1', '/video/generations'],
  ['/v1/videos', '/v1', '/videos'],
  ['//rerank//', '', '/rerank'],
  ['/v1/models', '/v1', '/models'],
  ['/v1beta/models/g-2.5:generateContent', '/v1beta', '/models/g-2.5:generateContent'],
  ['/v1beta/models/a/b:streamGenerateContent', '/v1beta', '/models/a/b:streamGenerateContent'],
  ['/v1/my-models', '/v1/my-models', null],
  ['/chat/completions-proxy', '/chat/completions-proxy', null],
  ['/v1', '/v1', null],
])('removes the endpoint from %s', (path, base, removed) => {
  const url = `https://gateway.example${path}`;
  const baseUrl = `https://gateway.example${base}`;
  expect(cutEndpoint(` ${url} `)).toEqual({ baseUrl, removed });
  expect(connectionInputSchema.parse({ name: 'Own', baseUrl: url }).baseUrl).toBe(baseUrl);
});

it('keeps a host whose name looks like an endpoint', () => {
  expect(cutEndpoint('http://models')).toEqual({ baseUrl: 'http://models', removed: null });
});
