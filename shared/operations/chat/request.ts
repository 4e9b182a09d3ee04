/** Defines the chat request and the composer's form input; add new chat fields here. */
import { z } from 'zod';
import { conversationOptionsSchema } from '../../conversation.ts';
import { jsonObjectSchema } from '../../json-schema.ts';
import { once } from '../../once.ts';
import { parameter } from '../form/field-meta.ts';
import { decimal, wholeNumber } from '../form/number-fields.ts';
import {
  contentPartSchema,
  messageSchema,
  roleSchema,
  sentToolSchema,
  toolCallSchema,
} from './message.ts';

/** Suggestions only; the field also accepts other voices. */
const audioVoices = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'];
const audioFormats = ['wav', 'mp3', 'flac', 'opus', 'pcm16'];

/** https://developers.openai.com/api/reference/resources/responses */
const includable = [
  ...['reasoning.encrypted_content', 'web_search_call.action.sources'],
  ...['web_search_call.results', 'file_search_call.results', 'code_interpreter_call.outputs'],
] as const;

/** Keeps a string as a string, because some gateways reject a list. */
export const stopSchema = z.union([z.string(), z.array(z.string())]);

export const getChatRequestSchema = once(() =>
  z.object({
    model: z.string('Choose a model.').min(1, 'Choose a model.'),
    messages: z.array(messageSchema, 'Enter a message first.').min(1, 'Enter a message first.'),
    format: parameter(z.enum(['messages', 'responses']), {
      title: 'Format',
      description: 'The API that the request is written for.',
      group: 'Other',
      control: 'choice',
    }),
    temperature: parameter(decimal({ minimum: 0, maximum: 2 }), {
      title: 'Temperature',
      description:
        'Higher values make the answer more varied; lower values make it more predictable.',
      group: 'Sampling',
      control: 'slider',
      step: 0.05,
      gatewayDefault: 1,
    }),
    top_p: parameter(decimal({ minimum: 0, maximum: 1 }), {
      title: 'Top p',
      description:
        'Sample only from the most likely tokens whose probabilities add up to this value.',
      group: 'Sampling',
      more: true,
      control: 'slider',
      step: 0.01,
      gatewayDefault: 1,
    }),
    presence_penalty: parameter(decimal({ minimum: -2, maximum: 2 }), {
      title: 'Presence penalty',
      description: 'Positive values discourage words that have already appeared.',
      group: 'Sampling',
      more: true,
      control: 'slider',
      step: 0.05,
      gatewayDefault: 0,
    }),
    frequency_penalty: parameter(decimal({ minimum: -2, maximum: 2 }), {
      title: 'Frequency penalty',
      description: 'Positive values discourage words the more often they appear.',
      group: 'Sampling',
      more: true,
      control: 'slider',
      step: 0.05,
      gatewayDefault: 0,
    }),
    seed: parameter(wholeNumber(), {
      title: 'Seed',
      description: 'The same seed and settings should give the same answer.',
      group: 'Sampling',
      more: true,
      control: 'number',
      startValue: 1,
    }),
    logit_bias: parameter(
      z.record(z.string(), decimal({ message: 'Enter a number for every token.' })),
      {
        title: 'Logit bias',
        description: 'Makes tokens more or less likely, by token ID. -100 bans a token.',
        group: 'Sampling',
        more: true,
        control: 'map',
        parts: [
          { name: 'key', title: 'Token ID', control: 'text', suggestions: [] },
          { name: 'value', title: 'Bias', control: 'number', suggestions: [] },
        ],
      },
    ),
    max_tokens: parameter(wholeNumber(), {
      title: 'Max tokens',
      description: 'Maximum number of tokens in the answer.',
      group: 'Length',
      control: 'number',
      startValue: 1024,
    }),
    max_completion_tokens: parameter(wholeNumber(), {
      title: 'Max completion tokens',
      description:
        'Maximum number of tokens, including reasoning. Newer models require this field.',
      group: 'Length',
      more: true,
      control: 'number',
      startValue: 1024,
    }),
    stop: parameter(stopSchema, {
      title: 'Stop sequences',
      description: 'Stop at any of these, one per line.',
      group: 'Length',
      more: true,
      control: 'lines',
      startValue: [],
    }),
    n: parameter(wholeNumber({ minimum: 1 }), {
      title: 'Choices (n)',
      description: 'Number of answers to generate. You’re billed for each.',
      group: 'Output',
      more: true,
      control: 'number',
      gatewayDefault: 1,
    }),
    stream: parameter(z.boolean(), {
      title: 'Stream',
      description: 'Show the answer as it’s generated.',
      group: 'Output',
      control: 'switch',
      gatewayDefault: false,
      startValue: true,
    }),
    stream_options: parameter(z.looseObject({ include_usage: z.boolean().optional() }), {
      title: 'Stream options',
      description: 'With include_usage, the last chunk of the stream reports token usage.',
      group: 'Output',
      more: true,
      control: 'object',
      parts: [
        { name: 'include_usage', title: 'Include usage', control: 'switch', suggestions: [] },
      ],
    }),
    response_format: parameter(
      z.looseObject({
        type: z.enum(['text', 'json_object', 'json_schema']),
        json_schema: jsonObjectSchema.optional(),
      }),
      {
        title: 'Response format',
        description: 'Plain text, any JSON object, or JSON that matches a schema.',
        group: 'Output',
        control: 'json',
        startValue: { type: 'json_object' },
      },
    ),
    modalities: parameter(z.array(z.enum(['text', 'image', 'audio'])), {
      title: 'Modalities',
      description: 'Output types the model can return.',
      group: 'Output',
      more: true,
      control: 'choices',
      startValue: ['text'],
    }),
    audio: parameter(
      z.looseObject({ voice: z.string().optional(), format: z.string().optional() }),
      {
        title: 'Audio',
        description: 'Voice and format of an audio answer.',
        group: 'Output',
        more: true,
        control: 'object',
        parts: [
          { name: 'voice', title: 'Voice', control: 'text', suggestions: audioVoices },
          { name: 'format', title: 'Format', control: 'text', suggestions: audioFormats },
        ],
      },
    ),
    reasoning_effort: parameter(z.string().min(1, 'Enter an effort.'), {
      title: 'Reasoning effort',
      description: 'How much a reasoning model thinks first. Accepted values vary by model.',
      group: 'Output',
      control: 'text',
      startValue: 'medium',
      suggestions: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
    }),
    reasoning_summary: parameter(z.string().min(1, 'Enter a kind of summary.'), {
      title: 'Reasoning summary',
      description: 'Ask for a summary of the model’s reasoning.',
      group: 'Output',
      more: true,
      control: 'text',
      startValue: 'auto',
      suggestions: ['auto', 'concise', 'detailed'],
    }),
    thinking: parameter(
      z.looseObject({ type: z.string(), budget_tokens: wholeNumber().optional() }),
      {
        title: 'Thinking',
        description: 'Whether the model thinks before it answers, and the most tokens it may use.',
        group: 'Output',
        more: true,
        control: 'object',
        startValue: { type: 'enabled', budget_tokens: 2048 },
        parts: [
          {
            name: 'type',
            title: 'Type',
            control: 'text',
            suggestions: ['enabled', 'adaptive', 'disabled'],
          },
          { name: 'budget_tokens', title: 'Budget', control: 'number', suggestions: [] },
        ],
      },
    ),
    cache_control: parameter(z.boolean(), {
      title: 'Cache the prompt',
      description: 'Marks the tools, the system message and the messages so far for the cache.',
      group: 'Output',
      more: true,
      control: 'switch',
      startValue: true,
    }),
    logprobs: parameter(z.boolean(), {
      title: 'Token probabilities',
      description: 'Ask for the log probability of each token; the answer’s details show them.',
      group: 'Output',
      more: true,
      control: 'switch',
      startValue: true,
    }),
    top_logprobs: parameter(wholeNumber({ minimum: 0, maximum: 20 }), {
      title: 'Alternatives',
      description: 'Also ask for this many likely alternatives. Requires token probabilities.',
      group: 'Output',
      more: true,
      control: 'number',
      startValue: 5,
    }),
    tools: parameter(z.array(sentToolSchema), {
      title: 'Tools',
      description: 'Functions the model can call, as a JSON array of tool definitions.',
      group: 'Tools',
      control: 'json',
      startValue: [],
    }),
    tool_choice: parameter(
      z.union([
        z.enum(['none', 'auto', 'required']),
        z.looseObject({ type: z.string(), function: z.looseObject({ name: z.string() }) }),
      ]),
      {
        title: 'Tool choice',
        description: 'none, auto, required, or a JSON object that names one tool.',
        group: 'Tools',
        control: 'json',
        startValue: 'auto',
      },
    ),
    parallel_tool_calls: parameter(z.boolean(), {
      title: 'Parallel tool calls',
      description: 'Whether the model may call several tools at once.',
      group: 'Tools',
      more: true,
      control: 'switch',
      gatewayDefault: true,
      startValue: false,
    }),
    store: parameter(z.boolean(), {
      title: 'Store',
      description: 'Whether the gateway keeps the answer for later retrieval.',
      group: 'Other',
      more: true,
      control: 'switch',
      startValue: true,
    }),
    include: parameter(z.array(z.enum(includable)), {
      title: 'Include',
      description: 'Further output to return. Encrypted reasoning is asked for unless you choose.',
      group: 'Other',
      more: true,
      control: 'choices',
      startValue: ['reasoning.encrypted_content'],
    }),
    safety_identifier: parameter(z.string(), {
      title: 'Safety identifier',
      description: 'A hashed ID of the end user, for abuse detection.',
      group: 'Other',
      more: true,
      control: 'text',
      startValue: '',
    }),
    user: parameter(z.string(), {
      title: 'User',
      description: 'An ID for the end user, passed to the gateway.',
      group: 'Other',
      more: true,
      control: 'text',
      startValue: '',
    }),
  }),
);
export type ChatRequest = z.infer<ReturnType<typeof getChatRequestSchema>>;

/** Empty strings aren't sent. */
const messageDetailsSchema = z.object({
  name: z.string(),
  /** The call that a `tool` message answers; empty in the composer for the newest open call. */
  toolCallId: z.string(),
  /** Only assistant messages use `reasoning` and `toolCalls`. */
  reasoning: z.string(),
  toolCalls: z.array(toolCallSchema),
});
export type MessageDetails = z.infer<typeof messageDetailsSchema>;

export const chatInputSchema = z.object({
  text: z.string(),
  /** Attached content parts are sent after the text. */
  parts: z.array(contentPartSchema),
  role: roleSchema,
  ...messageDetailsSchema.shape,
  /** The first message of a conversation also sets its system message and options. */
  systemMessage: z.string(),
  options: conversationOptionsSchema,
});
export type ChatInput = z.infer<typeof chatInputSchema>;

/** Stores unsaved edits to a message, a tool or a schema. */
export const unsavedEditSchema = z.object({
  text: z.string(),
  parts: z.array(contentPartSchema).optional(),
  details: messageDetailsSchema.optional(),
});
export type UnsavedEdit = z.infer<typeof unsavedEditSchema>;
