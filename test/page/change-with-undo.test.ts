import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('../../renderer/lib/api.ts', () => ({
  api: { forms: { change: () => new Promise(() => undefined) } },
  orpc: {},
}));

import { undo, useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import {
  changeWithUndo,
  offerUndoOfReplacement,
} from '../../renderer/run/form/change-with-undo.ts';
import { createForm } from '../../renderer/run/form/form.ts';
import { applyPreset } from '../../renderer/run/form/parameter-presets.ts';
import { setParameter } from '../../renderer/run/form/parameters.ts';
import type { Param } from '../../shared/param.ts';
import { paramState, wireNames } from '../fixtures/params.ts';
import { inputs } from '../fixtures/property.ts';

const newer = 'Restored. Newer changes were overwritten.';
const offers = () => useUndo.getState().offers;
const undoNamed = (message: string) =>
  undo(offers().find((offer) => offer.message === message)?.id ?? 0);

beforeEach(() => {
  for (const { id } of offers()) withdrawOffer(id);
});

function promptForm() {
  const form = createForm('completion', 'completion');
  const write = (prompt: string) => form.change({ input: { prompt } });
  return { form, write, prompt: () => form.state.getState().values.input.prompt };
}

describe('Undo of a changed form', () => {
  it('restores the values that a preset replaced and keeps later changes', async () => {
    const form = createForm('chat', 'chat');
    setParameter(form, 'temperature', 0.2);
    setParameter(form, 'seed', 7);
    form.change({ extraBody: '{"top_k": 40}' });
    const params = { max_tokens: { value: 100 }, temperature: { value: 1 } };
    const target = { form, connectionId: null, model: '', listedModels: null, conversation: null };
    applyPreset(target, { name: 'Short answers', settings: { params, extraBody: '' } });
    expect(form.state.getState().values.params).toEqual(params);
    setParameter(form, 'temperature', 0.9);
    await undoNamed('“Short answers” applied: parameters');
    const { values } = form.state.getState();
    expect(values.params).toEqual({ seed: { value: 7 }, temperature: { value: 0.9 } });
    expect(values.extraBody).toBe('{"top_k": 40}');
  });

  it('restores a value and keeps a later API field name, and the other way around', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ state: paramState, as: wireNames }),
        fc.record({ state: paramState, as: wireNames }),
        fc.boolean(),
        async (before, after, replacesValue) => {
          const form = createForm('chat', 'chat');
          const change = (param: Param) => form.change({ params: { seed: param } });
          const changes = [() => change(after.state), () => change({ as: after.as })] as const;
          const [replace, edit] = replacesValue ? changes : changes.toReversed();
          change({ ...before.state, as: before.as });
          changeWithUndo(form, () => replace?.(), 'Replaced', { after: 'any change' });
          edit?.();
          const offer = offers().find(({ message }) => message === 'Replaced');
          if (offer !== undefined) await undo(offer.id);
          const [state, as] = replacesValue ? [before.state, after.as] : [after.state, before.as];
          expect(form.state.getState().values.params.seed).toEqual({ ...state, as });
        },
      ),
      inputs(60),
    );
  });

  it('restores removed items in their original order', async () => {
    const { form, write, prompt } = promptForm();
    const severalWords = '# removed';
    write('a\nb\nc');
    changeWithUndo(form, () => write('b\nc'), 'a removed', { severalWords });
    changeWithUndo(form, () => write('c'), 'b removed', { severalWords });
    await undoNamed('2 removed');
    expect(prompt()).toBe('a\nb\nc');
  });

  it('restores a text over later edits, and those edits on a second Undo', async () => {
    const { form, write, prompt } = promptForm();
    write('My own prompt');
    changeWithUndo(form, () => write('Once upon a time there was'), 'Replaced by the example');
    write('Once upon a day there was');
    await undoNamed('Replaced by the example');
    expect(prompt()).toBe('My own prompt');
    await undoNamed(newer);
    expect(prompt()).toBe('Once upon a day there was');
    expect(offers()).toEqual([]);
  });

  it('restores the only setting of a change even if it changed again later', async () => {
    const form = createForm('chat', 'chat');
    setParameter(form, 'temperature', 0.2);
    changeWithUndo(form, () => setParameter(form, 'temperature', 1), 'Applied');
    setParameter(form, 'temperature', 0.9);
    await undoNamed('Applied');
    expect(form.state.getState().values.params).toEqual({ temperature: { value: 0.2 } });
    expect(offers()).toMatchObject([{ message: newer }]);
  });

  it('withdraws the offer if the user has already restored the text', async () => {
    const { form, write, prompt } = promptForm();
    write('Mine');
    changeWithUndo(form, () => write('An example'), 'Replaced by the example');
    write('Mine');
    await undoNamed('Replaced by the example');
    expect(prompt()).toBe('Mine');
    expect(offers()).toEqual([]);
  });

  it('offers nothing if no value was lost', () => {
    const { form, write } = promptForm();
    changeWithUndo(form, () => write('An example'), 'Replaced');
    expect(offers()).toEqual([]);
  });
});

describe('Undo of a replaced value', () => {
  /** The saved value, or null if it was deleted. */
  let saved: { prompt: string } | null = null;

  function replace(prompt: string): void {
    const before = saved ?? { prompt: '' };
    saved = { prompt };
    offerUndoOfReplacement(`${before.prompt} replaced`, {
      before,
      after: saved,
      read: async () => saved,
      write: async (value) => {
        saved = value;
      },
      place: 'presets',
    });
  }

  beforeEach(() => {
    saved = { prompt: 'first' };
    replace('second');
  });

  it('restores the value over a later one, and the later one on a second Undo', async () => {
    saved = { prompt: 'third' };
    await undoNamed('first replaced');
    expect(saved).toEqual({ prompt: 'first' });
    await undoNamed(newer);
    expect([saved, offers()]).toEqual([{ prompt: 'third' }, []]);
  });

  it.each(['first', 'second'])(
    'restores the value over “%s” without a second offer',
    async (prompt) => {
      saved = { prompt };
      await undoNamed('first replaced');
      expect([saved, offers()]).toEqual([{ prompt: 'first' }, []]);
    },
  );

  it('reports that the value to restore was already deleted', async () => {
    saved = null;
    await undoNamed('first replaced');
    expect(saved).toEqual({ prompt: 'first' });
    expect(offers()).toMatchObject([{ message: 'Restored (it was deleted in the meantime).' }]);
  });

  it('shows only a notice if the same value was saved again', () => {
    replace('second');
    expect(offers().at(-1)).toMatchObject({ message: 'second replaced', undo: null });
  });
});
