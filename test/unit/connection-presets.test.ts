import { expect, it } from 'vitest';
import { resolveEndpoint } from '../../electron/gateway/wire-request.ts';
import { connectionPresets } from '../../shared/connection-presets.ts';
import { operationNameSchema } from '../../shared/operations/operation-name.ts';
import { operations } from '../../shared/operations/operations.ts';
import { findEndpoint, moveTo } from '../../shared/operations/write-request.ts';

/** The URLs of chat completions in each gateway's documentation, which `sources` names. */
it.each([
  ['bedrock', 'https://bedrock-runtime.your-region.amazonaws.com/openai/v1/chat/completions'],
  ['cerebras', 'https://api.cerebras.ai/v1/chat/completions'],
  [
    'cloudflare',
    'https://api.cloudflare.com/client/v4/accounts/YOUR-ACCOUNT/ai/v1/chat/completions',
  ],
  ['fireworks', 'https://api.fireworks.ai/inference/v1/chat/completions'],
  ['github', 'https://models.github.ai/inference/chat/completions'],
  ['groq', 'https://api.groq.com/openai/v1/chat/completions'],
  ['minimax', 'https://api.minimaxi.com/v1/chat/completions'],
  ['minimax-intl', 'https://api.minimax.io/v1/chat/completions'],
  ['mistral', 'https://api.mistral.ai/v1/chat/completions'],
  ['moonshot', 'https://api.moonshot.cn/v1/chat/completions'],
  ['moonshot-intl', 'https://api.moonshot.ai/v1/chat/completions'],
  ['nvidia', 'https://integrate.api.nvidia.com/v1/chat/completions'],
  ['portkey', 'https://api.portkey.ai/v1/chat/completions'],
  ['together', 'https://api.together.ai/v1/chat/completions'],
  ['vercel', 'https://ai-gateway.vercel.sh/v1/chat/completions'],
  ['volcengine', 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
  ['xai', 'https://api.x.ai/v1/chat/completions'],
  ['zai', 'https://api.z.ai/api/paas/v4/chat/completions'],
  ['zhipu', 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
])('sends chat requests of %s to %s', (id, url) => {
  expect(getUrl(id, 'chat')).toBe(url);
});

/** The URLs of other panels, where the documentation gives them in full. */
it.each([
  ['fireworks', 'embeddings', 'https://api.fireworks.ai/inference/v1/embeddings'],
  ['groq', 'speech', 'https://api.groq.com/openai/v1/audio/speech'],
  ['groq', 'transcription', 'https://api.groq.com/openai/v1/audio/transcriptions'],
  ['mistral', 'transcription', 'https://api.mistral.ai/v1/audio/transcriptions'],
  ['nvidia', 'embeddings', 'https://integrate.api.nvidia.com/v1/embeddings'],
  ['zhipu', 'embeddings', 'https://open.bigmodel.cn/api/paas/v4/embeddings'],
  ['zhipu', 'rerank', 'https://open.bigmodel.cn/api/paas/v4/rerank'],
] as const)('sends %s %s requests to %s', (id, operation, url) => {
  expect(getUrl(id, operation)).toBe(url);
});

function getUrl(
  id: string,
  operation: 'chat' | 'embeddings' | 'rerank' | 'speech' | 'transcription',
) {
  const { baseUrl, endpoints, panels } =
    connectionPresets.find((preset) => preset.id === id) ?? expect.fail(id);
  expect(panels).toContain(operation);
  const { path } = moveTo(operations[operation], findEndpoint(endpoints, operation, {}));
  return resolveEndpoint(baseUrl, path).href;
}

it('has a source, a unique name and its placeholders in the base URL', () => {
  const names = connectionPresets.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { id, baseUrl, placeholders, panels, sources } of connectionPresets) {
    expect(sources.length, id).toBeGreaterThan(0);
    expect(
      sources.filter((source) => !URL.canParse(source)),
      id,
    ).toEqual([]);
    expect(
      placeholders.filter((word) => !baseUrl.includes(word)),
      id,
    ).toEqual([]);
    expect(
      panels.filter((panel) => !operationNameSchema.options.includes(panel)),
      id,
    ).toEqual([]);
  }
});
