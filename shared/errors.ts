/** Defines user-facing errors without the schema, because worker threads would have to load zod. */
import type { z } from 'zod';
import type { appErrorSchema, fieldErrorSchema, gatewayDetailsSchema } from './error-schema.ts';

export type GatewayDetails = z.infer<typeof gatewayDetailsSchema>;
export type FieldError = z.infer<typeof fieldErrorSchema>;
export type AppError = z.infer<typeof appErrorSchema>;
export type AppErrorKind = AppError['kind'];

type VariantOf<Kind extends AppErrorKind> = Extract<AppError, { kind: Kind }>;
type CommonField = 'kind' | 'message' | 'nextStep' | 'gateway' | 'detail';

/** Builds an error; `gateway` and `detail` default to null. */
export function appError<Kind extends AppErrorKind>(
  kind: Kind,
  message: string,
  nextStep: string,
  more: Omit<VariantOf<Kind>, CommonField> & Partial<Pick<VariantOf<Kind>, 'gateway' | 'detail'>>,
): VariantOf<Kind> {
  return { kind, message, nextStep, gateway: null, detail: null, ...more } as VariantOf<Kind>;
}

/** Carries an `AppError` through throwing code to the nearest border. */
export class UserFacingError extends Error {
  readonly error: AppError;

  constructor(error: AppError) {
    super(error.message);
    this.name = 'AppFailure';
    this.error = error;
  }
}
