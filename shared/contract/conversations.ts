/** Conversations: their messages, and sending one to a model. */
import { z } from 'zod';
import { comparedVariantSchema } from '../comparison.ts';
import {
  conversationOptionsSchema,
  conversationSchema,
  conversationSummarySchema,
  treeMessageSchema,
  writtenMessageSchema,
} from '../conversation.ts';
import { runInputSchema } from '../run.ts';
import { byId, deletedSchema, procedure } from './procedure.ts';

/** `request` is the chat request without `messages`: main builds those from the branch. */
const sendInputSchema = runInputSchema.extend({
  conversationId: z.string(),
  connectionId: z.string(),
  /** The message that the new one, or else the answer, follows; null at the root. */
  parentId: z.string().nullable(),
  /** The user's message; null requests another answer to `parentId` (a retry). */
  message: writtenMessageSchema.nullable(),
  /** As for any run. */
  beyondCap: z.boolean().default(false),
  /** Written messages that come before it, one behind the other, such as results of parallel tool calls. */
  earlier: z.array(writtenMessageSchema).optional(),
  /** The run with whose result the message begins. */
  sourceRunId: z.string().nullable().default(null),
});
export type SendInput = z.input<typeof sendInputSchema>;

/** The messages just added, so that the page shows them at once. */
const addedMessagesSchema = z.object({
  conversation: conversationSummarySchema,
  /** Parents before their children. */
  messages: z.array(treeMessageSchema),
  /** The end of the branch that is shown from now on. */
  activeLeafId: z.string().nullable(),
});
export type AddedMessages = z.infer<typeof addedMessagesSchema>;

const sendResultSchema = addedMessagesSchema.extend({
  runId: z.string(),
  /** The last written message; null if only an answer was requested. */
  messageId: z.string().nullable(),
  /** One per choice; the first becomes the end of the shown branch. */
  answerIds: z.array(z.string()),
});
export type SendResult = z.infer<typeof sendResultSchema>;

/** A turn of several columns, each a variant with the message that it continues with. */
const compareInputSchema = z.object({
  conversationId: z.string(),
  /** Null begins a comparison. */
  comparisonId: z.string().nullable(),
  /** Their requests without `messages`: main builds those from each branch when it is sent. */
  variants: z.array(comparedVariantSchema).min(1).max(12),
  /** They are as an earlier turn was sent: the comparison's own stay what they are. */
  asBefore: z.boolean().default(false),
  /** Variant → the message that the new one, or else the answer, follows; null at the root. */
  parents: z.record(z.string(), z.string().nullable()),
  /** The user's message; null requests more answers to the parents. */
  message: writtenMessageSchema.nullable(),
  /** As for `send`. */
  earlier: z.array(writtenMessageSchema).optional(),
  /** As for any comparison. */
  beyondCap: z.boolean().default(false),
  sourceRunId: z.string().nullable().default(null),
});
export type CompareInput = z.infer<typeof compareInputSchema>;

const compareResultSchema = addedMessagesSchema.extend({
  comparisonId: z.string(),
  /** The row of this turn. */
  rowId: z.string(),
  /** Variant → the message that its answer will follow. */
  messageIds: z.record(z.string(), z.string()),
});
export type CompareResult = z.infer<typeof compareResultSchema>;

export const conversationsContract = {
  /** Most recently changed first; with `search`, those whose title or messages contain it. */
  list: procedure
    .input(z.object({ search: z.string().max(200), limit: z.int().min(1).max(500) }))
    .output(z.array(conversationSummarySchema)),
  /**
   * `since`: the revision of what the caller has. A revision of the same epoch in return says that `messages` has only
   * what was added or changed since.
   */
  get: procedure
    .input(byId.extend({ since: z.string().nullable().default(null) }))
    .output(conversationSchema),
  /** All messages, newest first; `before` is the `next` of the page before, null for the first. */
  messages: procedure
    .input(byId.extend({ before: z.int().nullable(), limit: z.int().min(1).max(500) }))
    .output(
      z.object({
        messages: z.array(treeMessageSchema),
        next: z.int().nullable(),
        /** Changes if everything fetched before is outdated. */
        revision: z.string(),
      }),
    ),
  /** Announced with what is added first: until then it is its caller's alone. */
  create: procedure
    .input(
      z
        .object({
          systemMessage: z.string().optional(),
          options: conversationOptionsSchema.optional(),
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
  remove: procedure.input(byId).output(deletedSchema),
  /** Adds the written message and its answers, and starts the run, or does nothing at all. */
  send: procedure.input(sendInputSchema).output(sendResultSchema),
  /**
   * Writes the message below each parent, once for columns that share one, and records a cell for each variant, or does
   * nothing at all. Answers are added as their cells are sent: those of one message are siblings, and their runs name the
   * comparison. Variants that the comparison has are replaced, though not for earlier turns; those that are not given stay as
   * they are.
   */
  compare: procedure.input(compareInputSchema).output(compareResultSchema),
  /** Adds a message without asking for an answer, also as an edited sibling. */
  addMessage: procedure
    .input(
      z.object({
        conversationId: z.string(),
        parentId: z.string().nullable(),
        message: writtenMessageSchema,
      }),
    )
    .output(addedMessagesSchema),
  /** Removes the message and all that follows it; a run that still answers there is stopped. */
  removeMessage: procedure
    .input(z.object({ conversationId: z.string(), messageId: z.string() }))
    .output(deletedSchema),
};
