/** Defines the schema of user-facing errors, which procedures return as values. */
import { z } from 'zod';

/** The gateway's error with secrets redacted. */
export const gatewayDetailsSchema = z.object({
  status: z.int().nullable(),
  type: z.string().nullable(),
  param: z.string().nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  requestId: z.string().nullable(),
  bodyExcerpt: z.string().nullable(),
});

export const fieldErrorSchema = z.object({
  path: z.array(z.string()),
  message: z.string(),
});

/** The connection whose key must be changed; the page opens it with the key field focused. */
const connectionReferenceSchema = z.object({ id: z.string(), name: z.string() });

const common = {
  message: z.string(),
  nextStep: z.string(),
  gateway: gatewayDetailsSchema.nullable(),
  /** Technical cause, such as `ECONNREFUSED 127.0.0.1:9`. */
  detail: z.string().nullable(),
};

function variant<Kind extends string>(kind: Kind) {
  return z.object({ kind: z.literal(kind), ...common });
}

export const appErrorSchema = z.discriminatedUnion('kind', [
  variant('invalid-request').extend({ fields: z.array(fieldErrorSchema) }),
  /** `connection` is missing if the request wasn't one of a saved connection to its gateway. */
  variant('unauthorized').extend({ connection: connectionReferenceSchema.optional() }),
  /** `connection` is missing unless the gateway's reason is the key. */
  variant('forbidden').extend({ connection: connectionReferenceSchema.optional() }),
  /**
   * The request wasn't sent, because the connection's key or its secret header or query values
   * (`values`) were lost, for example after a restart without a system keyring.
   */
  variant('key-needed').extend({
    connection: connectionReferenceSchema,
    missing: z.enum(['key', 'values']),
  }),
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
  /**
   * The request wasn't sent, because it may exceed the connection's daily cap; the user must
   * confirm.
   */
  variant('beyond-cap'),
  variant('unexpected'),
]);
