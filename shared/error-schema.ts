/** The schema of every failure the user can meet, one closed union that crosses the contract as a value. */
import { z } from 'zod';

/** The gateway's own error, redacted. */
export const gatewayDetailsSchema = z.object({
  status: z.int().nullable(),
  type: z.string().nullable(),
  param: z.string().nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  requestId: z.string().nullable(),
  /** The start of the reply's body as received, at most 4,096 characters. */
  bodyExcerpt: z.string().nullable(),
});

/** A value that breaks a limit: where it is in the request, and a sentence for the field. */
export const fieldErrorSchema = z.object({
  /** `['temperature']`, `['messages', '0', 'content']`. */
  path: z.array(z.string()),
  message: z.string(),
});

const common = {
  /** One sentence: what happened. */
  message: z.string(),
  /** One sentence: the single next step. */
  nextStep: z.string(),
  gateway: gatewayDetailsSchema.nullable(),
  /** The technical cause for whoever wants it (`ECONNREFUSED 127.0.0.1:9`). */
  detail: z.string().nullable(),
};

function variant<Kind extends string>(kind: Kind) {
  return z.object({ kind: z.literal(kind), ...common });
}

export const appErrorSchema = z.discriminatedUnion('kind', [
  variant('invalid-request').extend({ fields: z.array(fieldErrorSchema) }),
  variant('unauthorized'),
  variant('forbidden'),
  variant('not-found'),
  variant('rate-limited').extend({ retryAfterSeconds: z.number().nonnegative().nullable() }),
  variant('not-implemented'),
  variant('gateway').extend({ retryAfterSeconds: z.number().nonnegative().nullable() }),
  variant('http').extend({ retryAfterSeconds: z.number().nonnegative().nullable() }),
  variant('unreachable'),
  variant('timeout'),
  variant('malformed-response'),
  variant('stream-cut'),
  variant('content-filtered'),
  variant('task-failed'),
  variant('file'),
  variant('cancelled'),
  variant('interrupted'),
  variant('outcome-unknown'),
  /** Nothing was sent, until the user says so: it may pass today's cap of a connection. */
  variant('beyond-cap'),
  variant('unexpected'),
]);
