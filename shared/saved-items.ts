/** Defines items that users name: presets, prompts, requests, tools, tool sets and filters. */
import { z } from 'zod';
import { mcpToolChoiceSchema, toolChoiceSchema } from './conversation.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { toolSchema } from './operations/chat/message.ts';
import { consoleInputSchema } from './operations/console/request.ts';
import { operationNameSchema } from './operations/operation-name.ts';
import { paramSchema } from './param.ts';
import { answeredByYou, toolAnswerSchema } from './tool-answer.ts';

export const MAX_NAME_LENGTH = 80;
export const savedNameSchema = z.string().trim().min(1, 'Enter a name.').max(MAX_NAME_LENGTH);

const parameterSettingsSchema = z.object({
  params: z.record(z.string(), paramSchema),
  extraBody: z.string(),
});
export type ParameterSettings = z.infer<typeof parameterSettingsSchema>;

/** Stores the name to say which tool was deleted. */
const chosenToolSchema = z.object({ id: z.string(), name: z.string() });

/** The conversation settings that a preset can store. */
const conversationPartsSchema = z.object({
  systemMessage: z.string(),
  tools: z.object({
    on: z.array(chosenToolSchema),
    choice: toolChoiceSchema,
  }),
  responseFormat: jsonObjectSchema.nullable(),
});
export type ConversationParts = z.infer<typeof conversationPartsSchema>;

/** Applying a preset keeps the model and the conversation settings that the preset lacks. */
const presetSettingsSchema = parameterSettingsSchema.extend({
  model: z.string().min(1).optional(),
  ...conversationPartsSchema.partial().shape,
});
export type PresetSettings = z.infer<typeof presetSettingsSchema>;

export const presetSchema = z.object({
  id: z.string(),
  operation: operationNameSchema,
  name: savedNameSchema,
  settings: presetSettingsSchema,
});
export type ParameterPreset = z.infer<typeof presetSchema>;

export const savedRequestSchema = z.object({
  id: z.string(),
  name: savedNameSchema,
  request: consoleInputSchema,
});
export type SavedRequest = z.infer<typeof savedRequestSchema>;

/** A prompt for any panel; `{{name}}` in its text stands for a variable. */
export const savedPromptSchema = z.object({
  id: z.string(),
  name: savedNameSchema,
  text: z.string().min(1, 'Enter a text.').max(1_000_000),
});
export type SavedPrompt = z.infer<typeof savedPromptSchema>;

export const savedToolSchema = z.object({
  id: z.string(),
  tool: toolSchema,
  answer: toolAnswerSchema.default(answeredByYou),
});
export type SavedTool = z.infer<typeof savedToolSchema>;

/** A null `id` adds a tool; tool names are unique. */
export const saveToolInputSchema = savedToolSchema.extend({ id: z.string().nullable() });

/** Tools that the user turns on together. */
export const toolSetSchema = z.object({
  id: z.string(),
  name: savedNameSchema,
  tools: z.array(chosenToolSchema),
  mcpTools: z.array(mcpToolChoiceSchema),
});
export type ToolSet = z.infer<typeof toolSetSchema>;

export const saveToolSetInputSchema = toolSetSchema
  .omit({ id: true })
  .refine(({ tools, mcpTools }) => tools.length + mcpTools.length > 0, 'Turn a tool on first.');
