import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { fold } from './support/chat-events.ts';
import { body, chunk, finish } from './support/fold-events.ts';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const delta = (audio: object | null) => chunk({ choices: [{ index: 0, delta: { audio } }] });

describe('a spoken answer', () => {
  it('joins the chunks of audio, or reads a document', () => {
    const expires_at = 1_700_000_000;
    const streamed = fold(
      delta({ id: 'audio_1' }),
      delta({ data: `media:${ID}`, transcript: 'Good ' }),
      delta({ transcript: 'day.' }),
      delta({ data: `media:${ID}` }),
      delta({ expires_at }),
      delta(null),
      finish,
    );
    const audio = { id: 'audio_1', data: `media:${ID}`, transcript: 'Good day.', expires_at };
    const message = { role: 'assistant', content: null, audio };
    const { data: _data, expires_at: expiresAt, ...rest } = audio;
    for (const state of [streamed, fold(body({ choices: [{ index: 0, message }] }))]) {
      expect(state.choices[0]?.audio).toEqual({ ...rest, media: ID, expiresAt });
    }
  });

  it('counts a spoken answer as output', () => {
    const after = fold(delta({ data: `media:${ID}` }));
    expect(chatOperation.hasNewOutput(fold(), after)).toBe(true);
  });

  it('warns about audio that isn’t an object', () => {
    const state = fold(chunk({ choices: [{ index: 0, delta: { audio: 'x' } }] }));
    expect(state.warnings.join()).toContain('audio');
    expect(state.choices[0]?.audio).toBeNull();
  });
});
