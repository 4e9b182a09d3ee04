/** A form: what the user is composing for one operation, kept by main field by field under an id. */
import { z } from 'zod';
import { jsonValueSchema } from './json-schema.ts';
import { type ChatInput, chatInputSchema, unsavedEditSchema } from './operations/chat/input.ts';
import { type CompletionInput, completionInputSchema } from './operations/completion/input.ts';
import { type ConsoleInput, consoleInputSchema } from './operations/console/input.ts';
import { type ImageInput, imageInputSchema } from './operations/image/input.ts';
import { type OperationName, operationNameSchema } from './operations/operation-name.ts';
import { type RerankInput, rerankInputSchema } from './operations/rerank/input.ts';
import { type SpeechInput, speechInputSchema } from './operations/speech/input.ts';
import {
  type TranscriptionInput,
  transcriptionInputSchema,
} from './operations/transcription/input.ts';
import { type VideoInput, videoInputSchema } from './operations/video/input.ts';

/** What each panel's form holds beside model and parameters. */
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

/** Names come from the page and from gateways (the id of a tool call). */
const nameSchema = z.string().min(1).max(500);
const textsSchema = z.record(nameSchema, z.string());

/** A form's variant: its place among the others and what it sends otherwise than the form. */
const variantDraftSchema = z.strictObject({
  /** Any number; the least one is the first. */
  order: z.number(),
  /** The user's own; empty if what it sends names it. */
  name: z.string().max(80),
  /** Left out of the next comparison. */
  excluded: z.boolean(),
  /** Null for the form's. */
  connectionId: z.string().nullable(),
  models: textsSchema,
  parameters: z.record(nameSchema, jsonValueSchema),
  /** Parameters that the form may send and this one does not. */
  cleared: z.record(nameSchema, z.literal(true)),
  typed: textsSchema,
  wireNames: textsSchema,
  /** In place of the form's; null for those. */
  extraBody: z.string().nullable(),
  /** In place of the prompt, or whatever the form's main text is; null for that. */
  prompt: z.string().nullable(),
  /** Of the panel’s own settings, by name: as typed, in place of the form’s. */
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

/** The same for whoever writes a form whose operation is only known when it runs. */
const writtenContentSchema: z.ZodType<FormContent, { operation: OperationName; fields: object }> =
  formContentSchema;

const formIdSchema = z.string().min(1).max(200);
const revisionSchema = z.number().nullable();

/** Which form, and the revision that the caller has already; null for none. */
export const formQuerySchema = z.object({
  id: formIdSchema,
  operation: operationNameSchema,
  after: revisionSchema,
});
export type FormQuery = z.infer<typeof formQuerySchema>;

export const formChangeSchema = z.object({
  id: formIdSchema,
  /** The fields to set; every other field stays. */
  content: writtenContentSchema,
  /** Names as `fieldsByName` makes them. */
  unset: z.array(z.string().max(600)).max(2000),
  after: revisionSchema,
});
export type FormChange = z.infer<typeof formChangeSchema>;

/** What the caller does not have yet. A form that nobody has written is an empty one. */
export const formUpdateSchema = z.object({
  /** Grows with every change; 0 for a form that is not there. */
  revision: z.number(),
  /** Fields set since `after` by others; all of them where `after` was null. */
  content: formContentSchema,
  /** Of all the fields that are set now. */
  names: z.array(z.string()),
});
export type FormUpdate = z.infer<typeof formUpdateSchema>;
