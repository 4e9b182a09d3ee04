/** How a request to a JSON endpoint becomes an HTTP request. */
import type { JsonObject } from '../../shared/json.ts';
import type { Endpoint } from '../../shared/operations/operation.ts';

export interface HttpForm {
  method: string;
  /** Under the connection's base URL, the model filled in. */
  path: string;
  body: JsonObject;
}

const MODEL = '{model}';

/**
 * A model that stands in the path is left out of the body. `extraBody` is merged last, field by field
 * at the top level, so whatever the gateway accepts can be said.
 */
export function toHttp(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  request: JsonObject,
  extraBody: JsonObject,
): HttpForm {
  const { method, path } = endpoint;
  if (!path.includes(MODEL)) return { method, path, body: { ...request, ...extraBody } };
  const { model, ...rest } = request;
  const named = typeof model === 'string' ? model : '';
  return {
    method,
    // A function, so that `$&` in a model's name is not read as a pattern.
    path: path.replace(MODEL, () => encodeURIComponent(named)),
    body: { ...rest, ...extraBody },
  };
}
