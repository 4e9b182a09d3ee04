/** Streams a chat with other popular clients. Each resolves with the whole text. */
import { createOpenAI } from '@ai-sdk/openai';
import { streamText } from 'ai';
import OpenAI from 'openai';

const apiKey = 'sk-bench-0123456789abcdef';

export async function readWithOpenai(baseURL) {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  const stream = await client.chat.completions.create({
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    stream: true,
  });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? '';
  return text;
}

export async function readWithAiSdk(baseURL) {
  const { textStream } = streamText({
    model: createOpenAI({ baseURL, apiKey }).chat('m'),
    prompt: 'x',
    maxRetries: 0,
    onError({ error }) {
      throw error;
    },
  });
  let text = '';
  for await (const piece of textStream) text += piece;
  return text;
}
