/** Defines the procedures for conversations, including sending a message to a model. */
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { comparedVariantSchema } from '../comparison.ts';
import {
  conversationOptionsSchema,
  conversationSchema,
  conversationSummarySchema,
  folderNameSchema,
  MAX_LISTED_CONVERSATIONS,
  providerFieldsSchema,
  queuedMessageSchema,
  treeMessageSchema,
  writtenMessageSchema,
} from '../conversation.ts';
import { jsonObjectSchema } from '../json-schema.ts';
import { runInputSchema, sentRequestSchema } from '../run.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

/** `request` has no `messages`, because the main process builds them from the branch. */
const sendInputSchema = runInputSchema.extend({
  conversationId: z.string(),
  connectionId: z.string(),
  /** The parent of the new message, or of the answer if no message is sent; null at the root. */
  parentId: z.string().nullable(),
  /** The user's message; null requests another answer to `parentId`, as when retrying. */
  message: writtenMessageSchema.nullable(),
  overCap: z.boolean().default(false),
  /** A chain of messages sent before `message`, such as the results of parallel tool calls. */
  earlier: z.array(writtenMessageSchema).optional(),
  sourceRunId: z.string().nullable().default(null),
  /** The answer to continue; null for a new answer. `parentId` is its parent. */
  continuesId: z.string().nullable().default(null),
});
export type SendInput = z.input<typeof sendInputSchema>;

/** A message that isn't sent yet, with the conversation's settings as the page shows them. */
const nextRequestInputSchema = sendInputSchema
  .pick({ connectionId: true, request: true, extraBody: true, wireNames: true })
  .extend({
    ...sendInputSchema.pick({ parentId: true, message: true, earlier: true }).shape,
    systemMessage: z.string(),
    providerFields: providerFieldsSchema,
  });
export type NextRequestInput = z.input<typeof nextRequestInputSchema>;
export type SentMessagesInput = Pick<NextRequestInput, 'request' | 'parentId' | 'providerFields'>;

/** Returns the added messages so the page can render them without a refetch. */
const addedMessagesSchema = z.object({
  conversation: conversationSummarySchema,
  messages: z.array(treeMessageSchema),
  activeLeafId: z.string().nullable(),
});
export type AddedMessages = z.infer<typeof addedMessagesSchema>;

const sendResultSchema = addedMessagesSchema.extend({
  runId: z.string(),
  messageId: z.string().nullable(),
  /** One ID per choice; the first becomes the tip of the displayed branch. */
  answerIds: z.array(z.string()),
});
export type SendResult = z.infer<typeof sendResultSchema>;

const queueInputSchema = queuedMessageSchema
  .omit({ queuedAt: true, problem: true, turnId: true })
  .extend({ conversationId: z.string(), afterRunId: z.string() });
export type QueueInput = z.infer<typeof queueInputSchema>;

const queuedIdSchema = z.object({ conversationId: z.string(), queuedId: z.string() });

/** A turn with several columns, each of which continues its own branch. */
const compareInputSchema = z
  .object({
    conversationId: z.string(),
    comparisonId: z.string().nullable(),
    /** Requests have no `messages`, because the main process builds them from each branch. */
    variants: z.array(comparedVariantSchema).min(1).max(12),
    /** Resends the variants of an earlier turn without changing the comparison's variants. */
    asBefore: z.boolean().default(false),
    /**
     * The new message's parent by variant ID (the answer's if no message is sent); null at the root.
     */
    parents: z.record(z.string(), z.string().nullable()),
    message: writtenMessageSchema.nullable(),
    earlier: z.array(writtenMessageSchema).optional(),
    overCap: z.boolean().default(false),
    sourceRunId: z.string().nullable().default(null),
  })
  .refine(
    ({ message, earlier = [], parents, variants }) =>
      message !== null || earlier.length > 0 || variants.every(({ id }) => parents[id] != null),
    'Answers without a message need a parent.',
  );
export type CompareInput = z.infer<typeof compareInputSchema>;

const compareResultSchema = addedMessagesSchema.extend({
  comparisonId: z.string(),
  rowId: z.string(),
  messageIds: z.record(z.string(), z.string()),
});
export type CompareResult = z.infer<typeof compareResultSchema>;

export const callDecisionSchema = z.enum(['once', 'always', 'decline', 'never']);
export type CallDecision = z.infer<typeof callDecisionSchema>;

export const exportFormatSchema = z.enum(['json', 'markdown', 'jsonl']);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

const importResultSchema = z.object({
  /** The imported conversations, in the order of the file. */
  ids: z.array(z.string()),
  /** Sentences that describe changes made on import, such as a renamed tool. */
  notes: z.array(z.string()),
});
export type ImportResult = z.infer<typeof importResultSchema>;

export const conversationsContract = {
  /**
   * Sorted by last change; the order `place` puts pinned conversations first, then those in folders.
   * `search` matches the titles and messages of all conversations.
   */
  list: procedure
    .input(
      z.object({
        search: z.string().max(200),
        limit: z.int().min(1).max(MAX_LISTED_CONVERSATIONS),
        archived: z.boolean().default(false),
        order: z.enum(['recent', 'place']).default('recent'),
      }),
    )
    .output(z.array(conversationSummarySchema)),
  /** If the returned revision has the same epoch as `since`, `messages` has only changes. */
  get: procedure
    .input(byId.extend({ since: z.string().nullable().default(null) }))
    .output(conversationSchema),
  /** Newest first; `before` is the `next` of the previous page, or null for the first page. */
  messages: procedure
    .input(byId.extend({ before: z.int().nullable(), limit: z.int().min(1).max(500) }))
    .output(
      z.object({
        messages: z.array(treeMessageSchema),
        next: z.int().nullable(),
        /** Changes when all previously fetched pages become outdated. */
        revision: z.string(),
      }),
    ),
  /** Other windows are notified of the conversation only once it has a message. */
  create: procedure
    .input(
      z
        .object({
          systemMessage: z.string().optional(),
          options: conversationOptionsSchema.optional(),
          /** A text to derive the title from until the first message is sent. */
          draft: z.string().optional(),
        })
        .prefault({}),
    )
    .output(conversationSchema),
  update: procedure
    .input(
      z.object({
        id: z.string(),
        title: z.string().trim().min(1, 'Enter a name.').max(200).optional(),
        systemMessage: z.string().optional(),
        options: conversationOptionsSchema.optional(),
        activeLeafId: z.string().nullable().optional(),
      }),
    )
    .output(conversationSummarySchema),
  /** Changes only the given fields; a null `folder` moves conversations out of their folder. */
  place: procedure
    .input(
      z.object({
        ids: z.array(z.string()).min(1).max(MAX_LISTED_CONVERSATIONS),
        pinned: z.boolean().optional(),
        archived: z.boolean().optional(),
        folder: folderNameSchema.nullable().optional(),
      }),
    )
    .output(z.void()),
  /** Merges the folders if the name is taken; a null `name` removes the folder. */
  renameFolder: procedure
    .input(z.object({ folder: z.string(), name: folderNameSchema.nullable() }))
    .output(z.void()),
  /** Copies the branch that ends at `messageId`; null copies all branches. */
  duplicate: procedure
    .input(byId.extend({ messageId: z.string().nullable() }))
    .output(conversationSummarySchema),
  /** Returns the file in chunks; only JSON has all branches, settings and media. */
  export: procedure
    .input(
      z.object({
        ids: z
          .array(z.string())
          .min(1)
          .max(2 * MAX_LISTED_CONVERSATIONS),
        format: exportFormatSchema,
      }),
    )
    .output(eventIterator(z.string())),
  /** Imports an unfinished upload, which is deleted in any case; imports everything or nothing. */
  import: procedure.input(z.object({ uploadId: z.string() })).output(importResultSchema),
  remove: procedure.input(byId).output(deletedSchema),
  /**
   * Adds the message and its answers and starts the run, or changes nothing if the run can't start.
   */
  send: procedure.input(sendInputSchema).output(sendResultSchema),
  /** Adds the message to the turn of the run; the conversation's form stores it until it's sent. */
  queue: procedure.input(queueInputSchema).output(z.void()),
  /** Throws `not-found` if the message was sent or removed. A null message keeps its text. */
  editQueued: procedure
    .input(queuedIdSchema.extend({ message: writtenMessageSchema.nullable() }))
    .output(z.void()),
  /** Throws `not-found` if the message was sent or removed. */
  sendQueued: procedure
    .input(queuedIdSchema.extend({ parentId: z.string().nullable(), overCap: z.boolean() }))
    .output(sendResultSchema),
  /**
   * Answers the open tool calls at the end of the branch, then requests the next answers; throws
   * `invalid-request` if there are none.
   */
  continueTurn: procedure
    .input(
      z.object({
        conversationId: z.string(),
        leafId: z.string(),
        overCap: z.boolean().default(false),
      }),
    )
    .output(z.void()),
  /** Stops the conversation's turns and their requests; results that have arrived are kept. */
  stopTurns: procedure.input(z.object({ conversationId: z.string() })).output(z.void()),
  /** Answers a call awaiting approval; `always` and `never` also cover later calls of the tool. */
  decideCall: procedure
    .input(
      z.object({
        conversationId: z.string(),
        answerId: z.string(),
        place: z.int().nonnegative(),
        decision: callDecisionSchema,
      }),
    )
    .output(z.void()),
  /**
   * Adds the message under each distinct parent and records a cell per variant, or does nothing.
   */
  compare: procedure.input(compareInputSchema).output(compareResultSchema),
  /** Adds a message without requesting an answer; an edited message is added as a sibling. */
  addMessage: procedure
    .input(
      z.object({
        conversationId: z.string(),
        parentId: z.string().nullable(),
        message: writtenMessageSchema,
      }),
    )
    .output(addedMessagesSchema),
  /** Returns the request that `send` would make, without sending or recording anything. */
  nextRequest: procedure.input(nextRequestInputSchema).output(sentRequestSchema),
  /** Returns the input tokens of that request, as the gateway counts them. */
  countTokens: procedure
    .input(nextRequestInputSchema)
    .output(z.object({ tokens: z.int().nonnegative() })),
  /** Returns the messages that a request after `parentId` starts with, in the default format. */
  sentMessages: procedure
    .input(nextRequestInputSchema.pick({ request: true, parentId: true, providerFields: true }))
    .output(z.array(jsonObjectSchema)),
  /** Deletes the message and its descendants and cancels any run that is answering there. */
  removeMessage: procedure
    .input(z.object({ conversationId: z.string(), messageId: z.string() }))
    .output(deletedSchema),
};
