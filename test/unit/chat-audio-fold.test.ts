import { describe, expect, it } from 'vitest';
import { chatOperation } from '../../shared/operations/chat/chat.ts';
import { buildChatMessages } from '../../shared/operations/chat/message.ts';
import { body, chunk, finish, foldAll } from './support/fold-events.ts';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';
const delta = (audio: object | null) => chunk({ choices: [{ index: 0, delta: { audio } }] });

describe('a spoken answer', () => {
  it('is put together from its pieces', () => {
    const state = foldAll(chatOperation, [
      delta({ id: 'audio_1' }),
      delta({ data: `media:${ID}`, transcript: 'Good ' }),
      delta({ transcript: 'day.' }),
      delta({ data: `media:${ID}` }),
      delta({ expires_at: 1_700_000_000 }),
      delta(null),
      finish,
    ]);
    expect(state.choices[0]?.audio).toEqual({
      id: 'audio_1',
      media: ID,
      transcript: 'Good day.',
      expiresAt: 1_700_000_000,
    });
  });

  it('is read from a document', () => {
    const audio = { id: 'a', data: `media:${ID}`, transcript: 'Hi', expires_at: null };
    const state = foldAll(chatOperation, [
      body({ choices: [{ index: 0, message: { role: 'assistant', content: null, audio } }] }),
    ]);
    expect(state.choices[0]?.audio).toEqual({
      id: 'a',
      media: ID,
      transcript: 'Hi',
      expiresAt: null,
    });
  });

  it('counts as output', () => {
    const before = foldAll(chatOperation, []);
    const after = foldAll(chatOperation, [delta({ data: `media:${ID}` })]);
    expect(chatOperation.produced(before, after)).toBe(true);
  });

  it('is reported if it is not an object', () => {
    const state = foldAll(chatOperation, [
      chunk({ choices: [{ index: 0, delta: { audio: 'x' } }] }),
    ]);
    expect(state.warnings.join()).toContain('audio');
    expect(state.choices[0]?.audio).toBeUndefined();
  });

  it('goes back to the model as what it said', () => {
    const path = [
      {
        role: 'assistant' as const,
        content: '',
        name: null,
        reasoning: null,
        toolCalls: [],
        toolCallId: null,
        audio: { transcript: 'Good day.' },
      },
    ];
    expect(buildChatMessages('', path, { sendReasoning: false })).toEqual([
      { role: 'assistant', content: 'Good day.' },
    ]);
  });
});
