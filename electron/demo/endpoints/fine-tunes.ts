/** `POST /v1/fine-tunes`: declared by the interface as not implemented. */
import type { DemoExchange } from '../http/exchange.ts';
import { DemoFailure } from '../http/failure.ts';

export async function answerFineTunes({ request }: DemoExchange): Promise<void> {
  request.resume();
  throw new DemoFailure(501, 'API not implemented', {
    type: 'invalid_request_error',
    param: '',
    code: 'api_not_implemented',
  });
}
