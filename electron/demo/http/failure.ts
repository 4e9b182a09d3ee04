/** A refusal of the demo gateway: an HTTP status and the interface's error object. */

export interface FailureDetails {
  type: string;
  param?: string | null;
  code?: string | null;
  headers?: Record<string, string>;
}

export class DemoError extends Error {
  readonly status: number;
  readonly details: FailureDetails;

  constructor(status: number, message: string, details: FailureDetails) {
    super(message);
    this.name = 'DemoFailure';
    this.status = status;
    this.details = details;
  }

  /** The body of the reply. */
  toErrorObject() {
    const { type, param = null, code = null } = this.details;
    return { error: { message: this.message, type, param, code } };
  }
}

/** 400: `param` names the field as in the body, such as `messages[0].role`. */
export function invalidRequest(message: string, param: string | null, code: string | null = null) {
  return new DemoError(400, message, { type: 'invalid_request_error', param, code });
}

/** 404: no such model, or it does not answer at this endpoint. */
export function modelNotFound(model: string, available: readonly string[]) {
  return new DemoError(
    404,
    `The model ${JSON.stringify(model.slice(0, 200))} does not support this endpoint. Supported models: ${available.join(', ')}.`,
    { type: 'invalid_request_error', param: 'model', code: 'model_not_found' },
  );
}
