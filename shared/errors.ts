/** Defines user-facing errors without their schema, so that worker threads don't load zod. */
import type { z } from 'zod';
import type { appErrorSchema, fieldErrorSchema, gatewayDetailsSchema } from './error-schema.ts';
import { removeControls } from './remove-controls.ts';

export type GatewayDetails = z.infer<typeof gatewayDetailsSchema>;
export type FieldError = z.infer<typeof fieldErrorSchema>;
export type AppError = z.infer<typeof appErrorSchema>;
export type AppErrorKind = AppError['kind'];

type VariantOf<Kind extends AppErrorKind> = Extract<AppError, { kind: Kind }>;
type CommonField = 'kind' | 'message' | 'nextStep' | 'gateway' | 'detail';
type Extra<Kind extends AppErrorKind> = Omit<VariantOf<Kind>, CommonField | 'fields'>;
type More<Kind extends AppErrorKind> = Extra<Kind> & Partial<VariantOf<Kind>>;

/**
 * Builds an error; `gateway` and `detail` default to null, `fields` to an empty list. The message
 * may quote a gateway, which could reverse the rest of the sentence.
 */
export function appError<Kind extends AppErrorKind>(
  kind: Kind,
  message: string,
  nextStep: string,
  ...[more]: object extends Extra<Kind> ? [more?: More<Kind>] : [more: More<Kind>]
): VariantOf<Kind> {
  const fields = kind === 'invalid-request' ? { fields: [] } : {};
  const common = {
    kind,
    message: removeControls(message),
    nextStep,
    gateway: null,
    detail: null,
  };
  return { ...common, ...fields, ...more } as VariantOf<Kind>;
}

/** An exception that carries an `AppError` to the nearest handler. */
export class UserFacingError extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.name = 'AppFailure';
    this.error = error;
  }
}
