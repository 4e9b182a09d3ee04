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
    id: 'bedrock',
    name: 'Amazon Bedrock',
    baseUrl: 'https://bedrock-runtime.YOUR-REGION.amazonaws.com/openai/v1',
    placeholders: ['YOUR-REGION'],
    panels: ['chat'],
    note: 'Lists no models. Enter model IDs, and a Bedrock API key.',
    sources: [
      'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html',
      'https://docs.aws.amazon.com/bedrock/latest/userguide/models-get-info.html',
    ],
  },
  {
    ...defaults,
    id: 'cerebras',
    name: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    panels: ['chat'],
    sources: ['https://inference-docs.cerebras.ai/resources/openai'],
  },
  {
    ...defaults,
    id: 'cloudflare',
    name: 'Cloudflare AI Gateway',
    baseUrl: 'https://api.cloudflare.com/client/v4/accounts/YOUR-ACCOUNT/ai/v1',
    placeholders: ['YOUR-ACCOUNT'],
    panels: ['chat'],
    note: 'Model IDs start with the provider, such as openai/gpt-5.5. To use another gateway than the default one, add a cf-aig-gateway-id header.',
    sources: ['https://developers.cloudflare.com/changelog/post/2026-05-21-rest-api/'],
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
    id: 'fireworks',
    name: 'Fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    panels: ['chat', 'completion', 'embeddings'],
    sources: [
      'https://docs.fireworks.ai/tools-sdks/openai-compatibility',
      'https://docs.fireworks.ai/guides/querying-embeddings-models',
      'https://docs.getbifrost.ai/providers/supported-providers/fireworks',
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
    id: 'github',
    name: 'GitHub Models',
    baseUrl: 'https://models.github.ai',
    endpoints: [
      {
        operation: 'chat',
        format: '',
        path: '/inference/chat/completions',
        taskPath: null,
        keyHeader: null,
      },
      {
        operation: 'embeddings',
        format: '',
        path: '/inference/embeddings',
        taskPath: null,
        keyHeader: null,
      },
    ],
    panels: ['chat', 'embeddings'],
    note: 'The key is a token with the permission models: read. Enter model IDs such as openai/gpt-4.1.',
    sources: [
      'https://docs.github.com/en/rest/models/inference',
      'https://docs.github.com/en/rest/models/embeddings',
    ],
  },
  {
    ...defaults,
    id: 'groq',
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    panels: ['chat', 'speech', 'transcription'],
    note: 'Orpheus speech models take only the format wav.',
    sources: [
      'https://console.groq.com/docs/openai',
      'https://github.com/groq/groq-python/blob/main/api.md',
      'https://github.com/openclaw/openclaw/issues/62215',
    ],
  },
  {
    ...defaults,
    id: 'minimax',
    name: 'MiniMax (China)',
    baseUrl: 'https://api.minimaxi.com/v1',
    panels: ['chat'],
    sources: ['https://platform.minimaxi.com/docs/api-reference/text-openai-api'],
  },
  {
    ...defaults,
    id: 'minimax-intl',
    name: 'MiniMax (international)',
    baseUrl: 'https://api.minimax.io/v1',
    panels: ['chat'],
    sources: ['https://platform.minimax.io/docs/api-reference/text-openai-api'],
  },
  {
    ...defaults,
    id: 'mistral',
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    panels: ['chat', 'embeddings', 'transcription'],
    sources: [
      'https://docs.mistral.ai/api/',
      'https://github.com/mistralai/client-python/blob/main/docs/sdks/transcriptions/README.md',
    ],
  },
  {
    ...defaults,
    id: 'moonshot',
    name: 'Moonshot Kimi (China)',
    baseUrl: 'https://api.moonshot.cn/v1',
    panels: ['chat'],
    sources: ['https://platform.kimi.com/docs/api/overview'],
  },
  {
    ...defaults,
    id: 'moonshot-intl',
    name: 'Moonshot Kimi (international)',
    baseUrl: 'https://api.moonshot.ai/v1',
    panels: ['chat'],
    sources: ['https://platform.kimi.ai/docs/api/overview'],
  },
  {
    ...defaults,
    id: 'nvidia',
    name: 'NVIDIA NIM (hosted)',
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    panels: ['chat', 'embeddings'],
    note: 'Retrieval models need input_type (query or passage) under Extra JSON.',
    sources: [
      'https://ai-sdk.dev/providers/openai-compatible-providers/nim',
      'https://github.com/langchain-ai/langchain-nvidia/blob/main/libs/ai-endpoints/langchain_nvidia_ai_endpoints/_common.py',
      'https://github.com/langchain-ai/langchain-nvidia/blob/main/libs/ai-endpoints/langchain_nvidia_ai_endpoints/embeddings.py',
      'https://docs.nvidia.com/nim/nemo-retriever/text-embedding/latest/reference.html',
    ],
  },
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
    id: 'portkey',
    name: 'Portkey',
    baseUrl: 'https://api.portkey.ai/v1',
    keyHeader: { name: 'x-portkey-api-key', scheme: '' },
    panels: ['chat', 'completion', 'image', 'embeddings', 'speech', 'transcription'],
    note: 'Write the provider into the model ID, as @provider/model, or add an x-portkey-provider header.',
    sources: [
      'https://portkey.ai/docs/api-reference',
      'https://portkey.ai/docs/integrations/llms/openai',
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
    id: 'together',
    name: 'Together',
    baseUrl: 'https://api.together.ai/v1',
    panels: ['chat', 'completion', 'image', 'embeddings', 'speech'],
    sources: ['https://docs.together.ai/docs/inference/openai-compatibility'],
  },
  {
    ...defaults,
    id: 'vercel',
    name: 'Vercel AI Gateway',
    baseUrl: 'https://ai-gateway.vercel.sh/v1',
    panels: ['chat', 'embeddings'],
    sources: [
      'https://vercel.com/docs/ai-gateway/sdks-and-apis/openai-chat-completions',
      'https://vercel.com/docs/ai-gateway/sdks-and-apis/openai-chat-completions/embeddings',
    ],
  },
  {
    ...defaults,
    id: 'volcengine',
    name: 'Volcengine Ark (Doubao)',
    baseUrl: 'https://ark.cn-beijing.volces.com/api/v3',
    panels: ['chat', 'embeddings'],
    note: 'The model ID can be an endpoint ID, such as ep-….',
    sources: ['https://www.volcengine.com/docs/82379/1263482'],
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
    note: 'Send images of a video as image.url and reference_images.url under Field names, and its size as aspect_ratio and resolution under Extra JSON.',
    sources: [
      'https://docs.x.ai/docs/api-reference',
      'https://docs.x.ai/developers/model-capabilities/video/generation',
    ],
  },
  {
    ...defaults,
    id: 'zai',
    name: 'Zhipu GLM (international, Z.ai)',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    panels: ['chat'],
    sources: ['https://docs.z.ai/api-reference/introduction'],
  },
  {
    ...defaults,
    id: 'zhipu',
    name: 'Zhipu GLM (China)',
    baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
    panels: ['chat', 'rerank', 'embeddings'],
    note: 'For the format Responses, use https://open.bigmodel.cn/api/v1 as base URL.',
    sources: [
      'https://docs.bigmodel.cn/cn/api/introduction',
      'https://docs.bigmodel.cn/cn/guide/develop/responses/introduction',
      'https://docs.bigmodel.cn/api-reference/%E6%A8%A1%E5%9E%8B-api/%E6%96%87%E6%9C%AC%E5%B5%8C%E5%85%A5',
      'https://docs.bigmodel.cn/api-reference/%E6%A8%A1%E5%9E%8B-api/%E6%96%87%E6%9C%AC%E9%87%8D%E6%8E%92%E5%BA%8F',
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
