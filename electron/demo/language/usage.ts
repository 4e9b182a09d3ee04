/** Token counts as a gateway reports them, from the simple tokenizer and plausible media sizes. */
import type { ContentPart, Message } from '../../../shared/operations/chat/message.ts';
import type { Usage } from '../../../shared/operations/reply/usage-schema.ts';
import type { PlannedChoice } from './plan-choice.ts';
import { countTokens } from './tokens.ts';

/** Role and separators of a message. */
const MESSAGE_TOKENS = 4;
/** Caches of real gateways keep prefixes in blocks. */
const CACHE_BLOCK_TOKENS = 64;

interface PromptTokens {
  text: number;
  image: number;
  audio: number;
  cached: number;
}

export function countPrompt(messages: readonly Message[], tools: unknown): PromptTokens {
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const total = {
    text: tools === undefined ? 0 : countTokens(JSON.stringify(tools)),
    image: 0,
    audio: 0,
  };
  let history = 0;
  messages.forEach((message, index) => {
    addMessage(total, message);
    if (index <= lastAnswer) history = total.text + total.image + total.audio;
  });
  return { ...total, cached: Math.floor(history / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS };
}

function addMessage(total: Omit<PromptTokens, 'cached'>, message: Message): void {
  total.text += MESSAGE_TOKENS;
  for (const call of message.tool_calls ?? []) {
    total.text += countTokens(call.function.name) + countTokens(call.function.arguments);
  }
  const { content } = message;
  if (typeof content === 'string') total.text += countTokens(content);
  else for (const part of content ?? []) addPart(total, part);
}

function addPart(total: Omit<PromptTokens, 'cached'>, part: ContentPart): void {
  switch (part.type) {
    case 'text':
      total.text += countTokens(part.text);
      return;
    case 'image_url':
      total.image += part.image_url.detail === 'low' ? 85 : 765;
      return;
    case 'input_audio':
      total.audio += Math.ceil(part.input_audio.data.length / 4000);
      return;
    case 'file':
      total.text += Math.ceil((part.file.file_data?.length ?? 0) / 6);
      return;
    case 'video_url':
      total.image += 2000;
  }
}

export function getUsage(prompt: PromptTokens, choices: readonly PlannedChoice[]): Usage {
  const pieces = choices.flatMap((choice) => choice.pieces);
  const reasoning = pieces.filter(({ kind }) => kind === 'reasoning').length;
  const audio = pieces.filter((piece) => piece.kind === 'spoken' && 'data' in piece.audio).length;
  const promptTokens = prompt.text + prompt.image + prompt.audio;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: pieces.length,
    total_tokens: promptTokens + pieces.length,
    prompt_tokens_details: {
      cached_tokens: prompt.cached,
      text_tokens: prompt.text,
      audio_tokens: prompt.audio,
      image_tokens: prompt.image,
    },
    completion_tokens_details: {
      text_tokens: pieces.length - reasoning - audio,
      audio_tokens: audio,
      reasoning_tokens: reasoning,
    },
  };
}
