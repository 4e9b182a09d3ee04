/** A form: what the user is composing for one operation, stored field by field. */
import { z } from 'zod';
import { jsonValueSchema } from './json-schema.ts';
import { type ChatInput, chatInputSchema, unsavedEditSchema } from './operations/chat/request.ts';
import { type CompletionInput, completionInputSchema } from './operations/completion/request.ts';
import { type ConsoleInput, consoleInputSchema } from './operations/console/request.ts';
import { type ImageInput, imageInputSchema } from './operations/image/request.ts';
import { type OperationName, operationNameSchema } from './operations/operation-name.ts';
import { type RerankInput, rerankInputSchema } from './operations/rerank/request.ts';
import { type SpeechInput, speechInputSchema } from './operations/speech/request.ts';
import {
  type TranscriptionInput,
  transcriptionInputSchema,
} from './operations/transcription/request.ts';
import { type VideoInput, videoInputSchema } from './operations/video/request.ts';

/** The input of each form, besides its model and parameters. */
interface Inputs {
  chat: ChatInput;
  completion: CompletionInput;
  image: ImageInput;
  video: VideoInput;
  rerank: RerankInput;
  speech: SpeechInput;
  transcription: TranscriptionInput;
  console: ConsoleInput;
}
export type InputOf<Name extends OperationName> = Inputs[Name];

/** Names come from the page and from gateways (the ID of a tool call). */
const nameSchema = z.string().min(1).max(500);
const textsSchema = z.record(nameSchema, z.string());

/** A variant of a form: only what it sends differently. */
const variantDraftSchema = z.strictObject({
  /** Variants are sorted by it; it need not be an index. */
  order: z.number(),
  /** Empty if the name is derived from what the variant changes. */
  name: z.string().max(80),
  /** Excluded from the next comparison. */
  excluded: z.boolean(),
  /** Null for the form's connection. */
  connectionId: z.string().nullable(),
  models: textsSchema,
  parameters: z.record(nameSchema, jsonValueSchema),
  /** Parameters that the form sends and this variant does not. */
  cleared: z.record(nameSchema, z.literal(true)),
  typed: textsSchema,
  wireNames: textsSchema,
  /** Null for the form's extra body. */
  extraBody: z.string().nullable(),
  /** Replaces the form's main text, such as the prompt; null to keep it. */
  prompt: z.string().nullable(),
  /** Replaces the panel's own settings, by name, as typed. */
  settings: textsSchema.default({}),
});
export type VariantDraft = z.infer<typeof variantDraftSchema>;

/** The fields of every form but its input; each is written by itself. */
const commonFields = {
  /** Set parameters by wire name. */
  parameters: z.record(nameSchema, jsonValueSchema).optional(),
  /** Parameters that a new form has set and the user has cleared. */
  cleared: z.record(nameSchema, z.literal(true)).optional(),
  /** The text in a parameter's control if it differs from the value or is not valid yet. */
  typed: textsSchema.optional(),
  /** The model chosen for each connection, by the connection's ID. */
  models: textsSchema.optional(),
  /** API names of renamed fields. */
  wireNames: textsSchema.optional(),
  /** Results of tool calls as typed, by `<message ID> <index of the call>`. */
  results: textsSchema.optional(),
  /** By what they change: the ID of a message or tool, `new` for a tool without one, `schema`. */
  edits: z.record(nameSchema, unsavedEditSchema).optional(),
  /** By ID: what the form's input is sent to side by side. */
  variants: z.record(nameSchema, variantDraftSchema).optional(),
  /** JSON as typed. */
  extraBody: z.string().optional(),
  /** Run sends the input to every variant. */
  comparing: z.boolean().optional(),
  /** How often each variant runs. */
  repeats: z.int().min(1).max(100).optional(),
  /** Texts in place of the input's own, one per line. */
  morePrompts: z.string().optional(),
  /** The comparison that the form shows. */
  comparisonId: z.string().nullable().optional(),
  /** The last text that came from another run, and that run. */
  source: z.object({ runId: z.string(), text: z.string() }).nullable().optional(),
  /** The run that the form shows. */
  runId: z.string().nullable().optional(),
  /** The connection of this form alone; null for the selected one. */
  connectionId: z.string().nullable().optional(),
};
type CommonFields = z.infer<z.ZodObject<typeof commonFields>>;

/** Some of a form's fields. */
export interface FormFields<Name extends OperationName> extends CommonFields {
  input?: Partial<InputOf<Name>> | undefined;
}

type AllCommonFields = { [Field in keyof CommonFields]-?: Exclude<CommonFields[Field], undefined> };

/** All of a form's fields; unset ones are empty. */
export interface FormValues<Name extends OperationName> extends AllCommonFields {
  input: InputOf<Name>;
}

function getContent<Name extends string, Shape extends z.core.$ZodShape>(
  operation: Name,
  input: z.ZodObject<Shape>,
) {
  return z.object({
    operation: z.literal(operation),
    fields: z.strictObject({
      input: z.strictObject(input.shape).partial().optional(),
      ...commonFields,
    }),
  });
}

export const formContentSchema = z.discriminatedUnion('operation', [
  getContent('chat', chatInputSchema),
  getContent('completion', completionInputSchema),
  getContent('image', imageInputSchema),
  getContent('video', videoInputSchema),
  getContent('rerank', rerankInputSchema),
  getContent('speech', speechInputSchema),
  getContent('transcription', transcriptionInputSchema),
  getContent('console', consoleInputSchema),
]);
export type FormContent = z.infer<typeof formContentSchema>;

/** The same schema for callers that know the operation only at run time. */
const writtenContentSchema: z.ZodType<FormContent, { operation: OperationName; fields: object }> =
  formContentSchema;

const formIdSchema = z.string().min(1).max(200);
const revisionSchema = z.number().nullable();

/** A form, and the revision that the caller has; null for none. */
export const formQuerySchema = z.object({
  id: formIdSchema,
  operation: operationNameSchema,
  after: revisionSchema,
});
export type FormQuery = z.infer<typeof formQuerySchema>;

export const formChangeSchema = z.object({
  id: formIdSchema,
  /** Other fields stay as they are. */
  content: writtenContentSchema,
  unset: z.array(z.string().max(600)).max(2000),
  after: revisionSchema,
});
export type FormChange = z.infer<typeof formChangeSchema>;

/** The fields that the caller does not have yet; a form that was never written is empty. */
export const formUpdateSchema = z.object({
  /** Grows with every change; 0 if the form does not exist. */
  revision: z.number(),
  /** Fields that others have set since `after`; all fields if that was null. */
  content: formContentSchema,
  /** The names of all set fields. */
  names: z.array(z.string()),
});
export type FormUpdate = z.infer<typeof formUpdateSchema>;
