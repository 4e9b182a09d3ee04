/** Lists known gateways, with the fields that their documentation gives for a connection. */
import { bearerHeader, type FormatEndpoint, type KeyHeader } from './connection-options.ts';
import type { OperationName } from './operations/operation-name.ts';

type Panel = Exclude<OperationName, 'console'>;

export interface ConnectionPreset {
  id: string;
  name: string;
  /** May contain the words in `placeholders`, which the user replaces. */
  baseUrl: string;
  placeholders: readonly string[];
  keyHeader: KeyHeader;
  query: readonly { name: string; value: string }[];
  headers: readonly { name: string; value: string }[];
  /** Formats whose paths or key headers differ from the usual. */
  endpoints: readonly FormatEndpoint[];
  /** Panels whose endpoints the gateway documents; its models may not support all of them. */
  panels: readonly Panel[];
  /** One sentence about a quirk; null if there is none. */
  note: string | null;
  /** Documentation pages that these fields were taken from. */
  sources: readonly string[];
}

const defaults = {
  placeholders: [],
  keyHeader: bearerHeader,
  query: [],
  headers: [],
  endpoints: [],
  note: null,
};
const apiKeyHeader: KeyHeader = { name: 'api-key', scheme: '' };
const local = 'Needs a key only if the server was started with one.';

const hosted: readonly ConnectionPreset[] = [
  {
    ...defaults,
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    panels: ['chat', 'completion', 'image', 'embeddings', 'speech', 'transcription'],
    note: 'Some models, such as o3-pro, need the format Responses beside the model.',
    sources: [
      'https://platform.openai.com/docs/api-reference',
      'https://platform.openai.com/docs/models/o3-pro',
    ],
  },
  {
    ...defaults,
    id: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyHeader: { name: 'x-api-key', scheme: '' },
    headers: [{ name: 'anthropic-version', value: '2023-06-01' }],
    panels: ['chat'],
    note: 'Choose the format Messages beside the model. Beta features need an anthropic-beta header.',
    sources: ['https://platform.claude.com/docs/en/api/overview'],
  },
  {
    ...defaults,
    id: 'azure',
    name: 'Azure OpenAI',
    baseUrl: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    placeholders: ['YOUR-RESOURCE'],
    keyHeader: apiKeyHeader,
    query: [{ name: 'api-version', value: 'preview' }],
    panels: ['chat', 'completion', 'image', 'embeddings', 'speech', 'transcription'],
    note: 'The model ID is the name of your deployment.',
    sources: ['https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle'],
  },
  {
    ...defaults,
    id: 'azure-deployment',
    name: 'Azure OpenAI (one deployment)',
    baseUrl: 'https://YOUR-RESOURCE.openai.azure.com/openai/deployments/YOUR-DEPLOYMENT',
    placeholders: ['YOUR-RESOURCE', 'YOUR-DEPLOYMENT'],
    keyHeader: apiKeyHeader,
    query: [{ name: 'api-version', value: '2024-10-21' }],
    panels: ['chat', 'completion', 'image', 'speech', 'transcription'],
    note: 'A deployment lists no models. Its path decides the model, so any model ID works.',
    sources: ['https://learn.microsoft.com/azure/ai-services/openai/reference'],
  },
  {
    ...defaults,
    id: 'dashscope',
    name: 'DashScope (Beijing)',
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    panels: ['chat'],
    note: 'Keys work only in their own region.',
    sources: [
      'https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope',
    ],
  },
  {
    ...defaults,
    id: 'dashscope-intl',
    name: 'DashScope (Singapore)',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    panels: ['chat'],
    note: 'Keys work only in their own region.',
    sources: [
      'https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope',
    ],
  },
  {
    ...defaults,
    id: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    panels: ['chat'],
    note: 'For completions with a suffix, use https://api.deepseek.com/beta as base URL.',
    sources: [
      'https://api-docs.deepseek.com',
      'https://api-docs.deepseek.com/api/create-completion',
    ],
  },
  {
    ...defaults,
    id: 'gemini',
    name: 'Gemini (OpenAI format)',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    panels: ['chat', 'image', 'embeddings'],
    sources: ['https://ai.google.dev/gemini-api/docs/openai'],
  },
  {
    ...defaults,
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    panels: ['chat', 'completion', 'rerank', 'embeddings', 'speech'],
    note: 'Lists its models without a key, so a wrong key shows only in the first answer.',
    sources: [
      'https://openrouter.ai/docs/api/reference/overview',
      'https://openrouter.ai/docs/api/api-reference/rerank/create-rerank',
    ],
  },
  {
    ...defaults,
    id: 'siliconflow',
    name: 'SiliconFlow (China)',
    baseUrl: 'https://api.siliconflow.cn/v1',
    panels: ['chat', 'image', 'rerank', 'embeddings', 'speech', 'transcription'],
    sources: ['https://github.com/siliconflow/siliconcloud/blob/main/openapi.yaml'],
  },
  {
    ...defaults,
    id: 'siliconflow-intl',
    name: 'SiliconFlow (international)',
    baseUrl: 'https://api.siliconflow.com/v1',
    panels: ['chat', 'image', 'rerank', 'embeddings', 'speech', 'transcription'],
    sources: ['https://docs.siliconflow.com/llms-full.txt'],
  },
  {
    ...defaults,
    id: 'xai',
    name: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    endpoints: [
      {
        operation: 'video',
        format: '',
        path: '/v1/videos/generations',
        taskPath: '/v1/videos/{id}',
        keyHeader: null,
      },
    ],
    panels: ['chat', 'video'],
    note: 'Set the size of a video with aspect_ratio and resolution under Extra body fields.',
    sources: [
      'https://docs.x.ai/docs/api-reference',
      'https://docs.x.ai/developers/model-capabilities/video/generation',
    ],
  },
];

const selfHosted: readonly ConnectionPreset[] = [
  {
    ...defaults,
    id: 'gpustack',
    name: 'GPUStack',
    baseUrl: 'http://localhost/v1',
    panels: ['chat', 'completion', 'image', 'rerank', 'embeddings', 'speech', 'transcription'],
    note: 'Before version 2.0, it lists no models there. Enter model IDs instead.',
    sources: [
      'https://docs.gpustack.ai/latest/integrations/openai-compatible-apis',
      'https://github.com/gpustack/gpustack/issues/2813',
    ],
  },
  {
    ...defaults,
    id: 'litellm',
    name: 'LiteLLM',
    baseUrl: 'http://localhost:4000/v1',
    panels: ['chat', 'completion', 'image', 'rerank', 'embeddings', 'speech', 'transcription'],
    sources: ['https://docs.litellm.ai/docs/providers/litellm_proxy'],
  },
  {
    ...defaults,
    id: 'llama-cpp',
    name: 'llama.cpp',
    baseUrl: 'http://localhost:8080/v1',
    panels: ['chat', 'completion', 'rerank', 'embeddings'],
    note: local,
    sources: ['https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md'],
  },
  {
    ...defaults,
    id: 'lm-studio',
    name: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    panels: ['chat', 'completion', 'embeddings'],
    note: 'Needs a key only if the server requires authentication.',
    sources: ['https://lmstudio.ai/docs/developer/openai-compat'],
  },
  {
    ...defaults,
    id: 'new-api',
    name: 'new-api',
    baseUrl: 'http://localhost:3000/v1',
    panels: [
      'chat',
      'completion',
      'image',
      'video',
      'rerank',
      'embeddings',
      'speech',
      'transcription',
    ],
    sources: [
      'https://github.com/QuantumNous/new-api/blob/main/router/relay-router.go',
      'https://github.com/QuantumNous/new-api/blob/main/router/video-router.go',
    ],
  },
  {
    ...defaults,
    id: 'nvidia-reranking',
    name: 'NVIDIA NIM (reranking)',
    baseUrl: 'http://localhost:8000/v1',
    panels: ['rerank'],
    note: 'Choose the format Ranking beside the model.',
    sources: [
      'https://docs.nvidia.com/nim/nemo-retriever/text-reranking/latest/using-reranking.html',
    ],
  },
  {
    ...defaults,
    id: 'ollama',
    name: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    panels: ['chat', 'completion', 'embeddings', 'speech', 'transcription'],
    note: 'Needs no key on your own computer.',
    sources: ['https://docs.ollama.com/api/openai-compatibility'],
  },
  {
    ...defaults,
    id: 'one-api',
    name: 'one-api',
    baseUrl: 'http://localhost:3000/v1',
    panels: ['chat', 'completion', 'image', 'embeddings', 'speech', 'transcription'],
    sources: ['https://github.com/songquanpeng/one-api/blob/main/router/relay.go'],
  },
  {
    ...defaults,
    id: 'sglang',
    name: 'SGLang',
    baseUrl: 'http://localhost:30000/v1',
    panels: ['chat', 'completion', 'rerank', 'embeddings'],
    note: local,
    sources: [
      'https://docs.sglang.io/basic_usage/openai_api.html',
      'https://docs.sglang.io/basic_usage/native_api.html',
    ],
  },
  {
    ...defaults,
    id: 'tei',
    name: 'Text Embeddings Inference',
    baseUrl: 'http://localhost:8080/v1',
    panels: ['rerank', 'embeddings'],
    note: 'To rerank, choose the format Texts beside the model. Any model ID works.',
    sources: ['https://huggingface.github.io/text-embeddings-inference/'],
  },
  {
    ...defaults,
    id: 'vllm',
    name: 'vLLM',
    baseUrl: 'http://localhost:8000/v1',
    panels: ['chat', 'completion', 'rerank', 'embeddings', 'transcription'],
    note: local,
    sources: ['https://docs.vllm.ai/en/stable/serving/online_serving.html'],
  },
  {
    ...defaults,
    id: 'xinference',
    name: 'Xinference',
    baseUrl: 'http://localhost:9997/v1',
    panels: ['chat', 'completion', 'image', 'rerank', 'embeddings', 'speech', 'transcription'],
    note: local,
    sources: [
      'https://inference.readthedocs.io/en/latest/models/model_abilities/index.html',
      'https://github.com/xorbitsai/inference/blob/main/doc/source/models/model_abilities/audio.rst',
    ],
  },
];

export const connectionPresets: readonly ConnectionPreset[] = [...hosted, ...selfHosted];
