/** Defines a form: the unsent input of one operation, stored field by field. */
import { z } from 'zod';
import { queuedMessageSchema } from './conversation.ts';
import { type ChatInput, chatInputSchema, unsavedEditSchema } from './operations/chat/request.ts';
import { type CompletionInput, completionInputSchema } from './operations/completion/request.ts';
import { type ConsoleInput, consoleInputSchema } from './operations/console/request.ts';
import { type EmbeddingsInput, embeddingsInputSchema } from './operations/embeddings/request.ts';
import { type ImageInput, imageInputSchema } from './operations/image/request.ts';
import { type OperationName, operationNameSchema } from './operations/operation-name.ts';
import { type RerankInput, rerankInputSchema } from './operations/rerank/request.ts';
import { type SpeechInput, speechInputSchema } from './operations/speech/request.ts';
import {
  type TranscriptionInput,
  transcriptionInputSchema,
} from './operations/transcription/request.ts';
import { type VideoInput, videoInputSchema } from './operations/video/request.ts';
import { paramSchema } from './param.ts';

interface Inputs {
  chat: ChatInput;
  completion: CompletionInput;
  image: ImageInput;
  video: VideoInput;
  rerank: RerankInput;
  embeddings: EmbeddingsInput;
  speech: SpeechInput;
  transcription: TranscriptionInput;
  console: ConsoleInput;
}
export type InputOf<Name extends OperationName> = Inputs[Name];

/** Limits names, because they come from the page and from gateways, like tool call IDs. */
const nameSchema = z.string().min(1).max(500);
const textsSchema = z.record(nameSchema, z.string());
const paramsSchema = z.record(nameSchema, paramSchema);

/** A variant stores only the values that differ from its form. */
const variantDraftSchema = z.strictObject({
  order: z.number(),
  name: z.string().max(80),
  excluded: z.boolean(),
  connectionId: z.string().nullable(),
  models: textsSchema,
  params: paramsSchema,
  extraBody: z.string().nullable(),
  prompt: z.string().nullable(),
  settings: textsSchema.default({}),
});
export type VariantDraft = z.infer<typeof variantDraftSchema>;

/** Fields that every form has in addition to its input. Each is saved separately. */
const commonFields = {
  params: paramsSchema.optional(),
  models: textsSchema.optional(),
  /** Tool results that the user typed, keyed by `<message ID> <call index>`. */
  results: textsSchema.optional(),
  /** Keyed by message or tool ID, `new` for a new tool, or `schema`. */
  edits: z.record(nameSchema, unsavedEditSchema).optional(),
  variants: z.record(nameSchema, variantDraftSchema).optional(),
  /** Messages to send when the answer ends, by ID; written by the main process. */
  queue: z.record(nameSchema, queuedMessageSchema).optional(),
  extraBody: z.string().optional(),
  comparing: z.boolean().optional(),
  /** Hides the names of the next comparison's variants. */
  blind: z.boolean().optional(),
  repeats: z.int().min(1).max(100).optional(),
  morePrompts: z.string().optional(),
  comparisonId: z.string().nullable().optional(),
  source: z.object({ runId: z.string(), text: z.string() }).nullable().optional(),
  runId: z.string().nullable().optional(),
  connectionId: z.string().nullable().optional(),
};
type CommonFields = z.infer<z.ZodObject<typeof commonFields>>;

export interface FormFields<Name extends OperationName> extends CommonFields {
  input?: Partial<InputOf<Name>> | undefined;
}

type AllCommonFields = { [Field in keyof CommonFields]-?: Exclude<CommonFields[Field], undefined> };

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
  getContent('embeddings', embeddingsInputSchema),
  getContent('speech', speechInputSchema),
  getContent('transcription', transcriptionInputSchema),
  getContent('console', consoleInputSchema),
]);
export type FormContent = z.infer<typeof formContentSchema>;

/** Same schema, typed for callers that learn the operation only at runtime. */
const writtenContentSchema: z.ZodType<FormContent, { operation: OperationName; fields: object }> =
  formContentSchema;

const formIdSchema = z.string().min(1).max(200);
const revisionSchema = z.number().nullable();

/** `after` is the caller's revision; null requests all fields. */
export const formQuerySchema = z.object({
  id: formIdSchema,
  operation: operationNameSchema,
  after: revisionSchema,
});
export type FormQuery = z.infer<typeof formQuerySchema>;

export const formChangeSchema = z.object({
  id: formIdSchema,
  /** Fields that aren't in the content stay unchanged. */
  content: writtenContentSchema,
  unset: z.array(z.string().max(600)).max(2000),
  after: revisionSchema,
});
export type FormChange = z.infer<typeof formChangeSchema>;

/** Fields that changed since the caller's revision; empty if the form was never saved. */
export const formUpdateSchema = z.object({
  /** Increases with every change; 0 if the form does not exist. */
  revision: z.number(),
  /** Fields that other windows set since `after`; all fields if `after` is null. */
  content: formContentSchema,
  names: z.array(z.string()),
});
export type FormUpdate = z.infer<typeof formUpdateSchema>;
