/** Every procedure the page may call: input, output, stream and the one kind of expected error. */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import {
  connectionInputSchema,
  connectionSchema,
  connectionTestSchema,
  keyKeepingSchema,
} from './connection.ts';
import {
  conversationOptionsSchema,
  conversationSchema,
  conversationSummarySchema,
  treeMessageSchema,
  writtenMessageSchema,
} from './conversation.ts';
import { appErrorSchema } from './errors.ts';
import { jsonObjectSchema } from './json-schema.ts';
import { mediaQuerySchema, mediaSchema } from './media.ts';
import { operationDescriptionSchema } from './operations/form/description.ts';
import { operationNameSchema } from './operations/operation-name.ts';
import { patchSchema } from './patch.ts';
import {
  runEventKindSchema,
  runEventSchema,
  runStatusSchema,
  runSummarySchema,
  runViewSchema,
} from './run.ts';
import { settingsSchema } from './settings.ts';
import { savedToolSchema, saveToolInputSchema } from './tool.ts';

/** Expected failures cross as `APP_ERROR` with an `AppError`; anything else is a defect. */
const procedure = oc.errors({ APP_ERROR: { data: appErrorSchema } });

const byId = z.object({ id: z.string() });
const nothing = z.void();

/** Something the user should know about this installation, such as a damaged ledger set aside. */
const noticeSchema = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'danger']),
  message: z.string(),
  nextStep: z.string(),
});
export type Notice = z.infer<typeof noticeSchema>;

const systemInfoSchema = z.object({
  host: z.enum(['desktop', 'browser']),
  version: z.string(),
  platform: z.string(),
  dataFolder: z.string(),
  /** Where a key can be kept here, best first; `keyringReason` says why it cannot be the keyring. */
  keyKeeping: z.array(keyKeepingSchema),
  keyringReason: z.string().nullable(),
  notices: z.array(noticeSchema),
});
export type SystemInfo = z.infer<typeof systemInfoSchema>;

/** What changed, so that the page asks again for just that. `id` is null for "several". */
const changeSchema = z.object({
  topic: z.enum([
    'runs',
    'conversations',
    'connections',
    'models',
    'settings',
    'notices',
    'media',
    'tools',
  ]),
  id: z.string().nullable(),
});
export type Change = z.infer<typeof changeSchema>;

/**
 * `snapshot`: the whole view at `seq`. `update`: the patch from `from` to `to`; a watcher whose
 * own number is not `from` has missed something and watches again.
 */
const runUpdateSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), seq: z.int(), view: runViewSchema }),
  z.object({ type: z.literal('update'), from: z.int(), to: z.int(), patch: patchSchema }),
]);
export type RunUpdate = z.infer<typeof runUpdateSchema>;

const startInputSchema = z.object({
  connectionId: z.string(),
  operation: operationNameSchema,
  request: jsonObjectSchema,
  /** Merged into the body last, not held to the limits. */
  extraBody: jsonObjectSchema,
});
export type StartInput = z.infer<typeof startInputSchema>;

const sendInputSchema = z.object({
  conversationId: z.string(),
  connectionId: z.string(),
  /** The message that the new one, or else the answer, follows; null at the root. */
  parentId: z.string().nullable(),
  /** What the user wrote; null asks for an answer to `parentId` as it stands (a retry). */
  message: writtenMessageSchema.nullable(),
  /** Written messages that come before it, one behind the other, such as results of parallel tool calls. */
  earlier: z.array(writtenMessageSchema).optional(),
  /** The chat request without `messages`: main builds those from the branch. */
  request: jsonObjectSchema,
  extraBody: jsonObjectSchema,
});
export type SendInput = z.infer<typeof sendInputSchema>;

const modelSuggestionSchema = z.object({
  id: z.string(),
  /** `gateway`: in its list; `used`: run before; `demo`: a simulated model for this operation. */
  source: z.enum(['gateway', 'used', 'demo']),
  ownedBy: z.string().nullable(),
});
export type ModelSuggestion = z.infer<typeof modelSuggestionSchema>;

const modelSuggestionsSchema = z.object({
  models: z.array(modelSuggestionSchema),
  /** The model a new draft starts with; null where only the user can know. */
  preselected: z.string().nullable(),
  /** Why the gateway's own list is missing, in one sentence; null where it came. */
  listProblem: z.string().nullable(),
});
export type ModelSuggestions = z.infer<typeof modelSuggestionsSchema>;

export const contract = {
  system: {
    info: procedure.output(systemInfoSchema),
    /** The parameter forms of every operation. */
    describe: procedure.output(z.array(operationDescriptionSchema)),
    /** Never ends by itself. */
    changes: procedure.output(eventIterator(changeSchema)),
    /** Opens an http(s) link in the system's browser; the browser host leaves it to the page. */
    openExternal: procedure.input(z.object({ url: z.string() })).output(nothing),
  },
  settings: {
    get: procedure.output(settingsSchema),
    update: procedure.input(settingsSchema.partial()).output(settingsSchema),
  },
  connections: {
    list: procedure.output(z.array(connectionSchema)),
    create: procedure.input(connectionInputSchema).output(connectionSchema),
    update: procedure
      .input(connectionInputSchema.extend({ id: z.string() }))
      .output(connectionSchema),
    remove: procedure.input(byId).output(nothing),
    /** The one way a key enters. It is never answered. */
    setKey: procedure
      .input(
        z.object({
          id: z.string(),
          key: z.string().trim().min(1, 'Paste the key first.').max(8192),
          keeping: keyKeepingSchema,
        }),
      )
      .output(connectionSchema),
    removeKey: procedure.input(byId).output(connectionSchema),
    test: procedure.input(byId).output(connectionTestSchema),
  },
  models: {
    suggest: procedure
      .input(z.object({ connectionId: z.string(), operation: operationNameSchema }))
      .output(modelSuggestionsSchema),
  },
  runs: {
    /** Recorded when this answers; watch it with the id. */
    start: procedure.input(startInputSchema).output(z.object({ runId: z.string() })),
    /** Stops the run; a video task that the gateway has accepted is only no longer followed. */
    cancel: procedure.input(byId).output(nothing),
    /** Follows a video task again after `cancel`. */
    resume: procedure.input(byId).output(nothing),
    /** Begins with a snapshot, or with an update where `after` is a number main still stands at. Ends with the run. */
    watch: procedure
      .input(z.object({ id: z.string(), after: z.int().nullable() }))
      .output(eventIterator(runUpdateSchema)),
    /** Newest first; `before` is the `createdAt` and id of the last row already seen. */
    list: procedure
      .input(
        z.object({
          connectionId: z.string().nullable(),
          operation: operationNameSchema.nullable(),
          status: runStatusSchema.nullable(),
          /** Exactly this one. */
          model: z.string().nullable().default(null),
          /** In what was asked or answered; empty for all. */
          search: z.string().max(200).default(''),
          before: z.object({ createdAt: z.number(), id: z.string() }).nullable(),
          limit: z.int().min(1).max(200),
        }),
      )
      .output(z.object({ runs: z.array(runSummarySchema), more: z.boolean() })),
    /** The run with its request as the panel stated it, for the inspector and to open it again. */
    get: procedure.input(byId).output(
      z.object({
        view: runViewSchema,
        request: jsonObjectSchema,
        extraBody: jsonObjectSchema,
        /** The connection's base URL when the run started. */
        baseUrl: z.string(),
      }),
    ),
    /** Recorded events after number `after`, oldest first; `kinds` null means all. */
    events: procedure
      .input(
        z.object({
          id: z.string(),
          after: z.int(),
          limit: z.int().min(1).max(2000),
          kinds: z.array(runEventKindSchema).nullable(),
        }),
      )
      .output(z.object({ events: z.array(runEventSchema), more: z.boolean() })),
    remove: procedure.input(byId).output(nothing),
    /** Every model that a run asked for, by name. */
    models: procedure.output(z.array(z.string())),
  },
  /** Bytes travel by `/media/<id>`, never here. */
  media: {
    /** Null where it was removed. */
    get: procedure.input(byId).output(mediaSchema.nullable()),
    list: procedure
      .input(mediaQuerySchema)
      .output(z.object({ media: z.array(mediaSchema), more: z.boolean() })),
    /** Runs and messages that name it keep the name only. */
    remove: procedure.input(byId).output(nothing),
    /** Fetches an image that an answer points at: http(s), at most 20 MB, without key or cookies. */
    fetchRemote: procedure.input(z.object({ url: z.string().max(8192) })).output(mediaSchema),
  },
  /** Tool definitions that the user saved; each conversation says which are on. */
  tools: {
    list: procedure.output(z.array(savedToolSchema)),
    save: procedure.input(saveToolInputSchema).output(savedToolSchema),
    remove: procedure.input(byId).output(nothing),
  },
  conversations: {
    /** Most recently changed first; with `search`, those whose title or messages contain it. */
    list: procedure
      .input(z.object({ search: z.string().max(200), limit: z.int().min(1).max(500) }))
      .output(z.array(conversationSummarySchema)),
    get: procedure.input(byId).output(conversationSchema),
    create: procedure.output(conversationSchema),
    update: procedure
      .input(
        z.object({
          id: z.string(),
          title: z.string().trim().min(1, 'Give it a name.').max(200).optional(),
          systemMessage: z.string().optional(),
          options: conversationOptionsSchema.optional(),
          activeLeafId: z.string().nullable().optional(),
        }),
      )
      .output(conversationSummarySchema),
    remove: procedure.input(byId).output(nothing),
    /** Adds the written message and its answers, and starts the run, or does nothing at all. */
    send: procedure.input(sendInputSchema).output(
      z.object({
        runId: z.string(),
        messageId: z.string().nullable(),
        /** One per choice; the first becomes the end of the shown branch. */
        answerIds: z.array(z.string()),
      }),
    ),
    /** Adds a message without asking for an answer, also as an edited sibling. */
    addMessage: procedure
      .input(
        z.object({
          conversationId: z.string(),
          parentId: z.string().nullable(),
          message: writtenMessageSchema,
        }),
      )
      .output(treeMessageSchema),
    /** Removes the message and all that follows it; a run that still answers there is stopped. */
    removeMessage: procedure
      .input(z.object({ conversationId: z.string(), messageId: z.string() }))
      .output(nothing),
  },
};
export type AppContract = typeof contract;
