import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { createRandom } from '../fixtures/random.ts';
import { openFormat } from './support/chat-format.ts';
import { body, chunk, finish, randomReply } from './support/fold-events.ts';
import { ending, MODEL, stream } from './support/responses-events.ts';

const { fold } = openFormat('responses', MODEL);

describe('a response in the Responses format', () => {
  it('reads events of any shape without an error', () => {
    const random = createRandom(20261128);
    const types = stream.map((one) => (one.kind === 'chunk' ? one.event : null));
    const shape = (depth = 3) => randomReply(() => random.next(), depth);
    for (let round = 0; round < 300; round += 1) {
      const type = types[random.between(0, types.length - 1)] ?? null;
      const item = { type: 'message', content: [shape()], summary: shape(), arguments: shape() };
      const fields = {
        output_index: shape(1),
        content_index: shape(),
        delta: shape(),
        item: random.chance(0.5) ? item : shape(),
        part: shape(),
        response: shape(),
      };
      const odd = chunk({ type, ...fields });
      const whole = body({ output: [shape(), item], status: shape(), usage: shape() });
      for (const state of [fold(...stream.slice(0, 14), odd, odd, ending, finish), fold(whole)]) {
        expect(() => chatOperation.response(state), JSON.stringify(fields)).not.toThrow();
      }
    }
  });
});
