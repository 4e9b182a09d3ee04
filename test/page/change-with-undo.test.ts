import { beforeEach, expect, it, vi } from 'vitest';

vi.mock('../../renderer/lib/api.ts', () => ({
  api: { forms: { change: () => new Promise(() => undefined) } },
  orpc: {},
}));

import { undo, useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import { changeWithUndo } from '../../renderer/run/form/change-with-undo.ts';
import { createForm } from '../../renderer/run/form/form.ts';
import { applyPreset, setParameter } from '../../renderer/run/form/parameters.ts';

const offers = () => useUndo.getState().offers;
const undoNamed = (message: string) =>
  undo(offers().find((offer) => offer.message === message)?.id ?? 0);

beforeEach(() => {
  for (const { id } of offers()) withdrawOffer(id);
});

it('brings back what a preset replaced, but not over what was set since', async () => {
  const form = createForm('chat', 'chat');
  setParameter(form, 'temperature', 0.2);
  setParameter(form, 'seed', 7);
  form.change({ extraBody: '{"top_k": 40}' });
  applyPreset(form, {
    name: 'Short answers',
    settings: {
      parameters: { max_tokens: 100, temperature: 1 },
      cleared: {},
      typed: {},
      wireNames: {},
      extraBody: '',
    },
  });
  expect(form.state.getState().values.parameters).toEqual({ max_tokens: 100, temperature: 1 });
  setParameter(form, 'temperature', 0.9);
  await undoNamed('“Short answers” applied');
  expect(form.state.getState().values).toMatchObject({
    parameters: { seed: 7, temperature: 0.9 },
    extraBody: '{"top_k": 40}',
  });
  expect(form.state.getState().values.parameters).not.toHaveProperty('max_tokens');
});

it.each([
  ['the older first', ['a removed', 'b removed']],
  ['the newer first', ['b removed', 'a removed']],
])('brings back two removed items in their order, %s', async (_name, order) => {
  const form = createForm('rerank', 'rerank');
  const write = (documents: string) => form.change({ input: { documents } });
  write('a\nb\nc');
  changeWithUndo(form, () => write('b\nc'), 'a removed');
  changeWithUndo(form, () => write('c'), 'b removed');
  for (const message of order) await undoNamed(message);
  expect(form.state.getState().values.input.documents).toBe('a\nb\nc');
});

it('brings a text back over what was made of the one in its place, and that by Undo', async () => {
  const form = createForm('completion', 'completion');
  const write = (prompt: string) => form.change({ input: { prompt } });
  const prompt = () => form.state.getState().values.input.prompt;
  write('My own prompt');
  changeWithUndo(form, () => write('Once upon a time there was'), 'Replaced by the example');
  write('Once upon a day there was');
  await undoNamed('Replaced by the example');
  expect(prompt()).toBe('My own prompt');
  await undoNamed('Restored. Newer changes were replaced.');
  expect(prompt()).toBe('Once upon a day there was');
  expect(offers()).toEqual([]);
});

it('brings back the only setting that was changed, though it was changed since', async () => {
  const form = createForm('chat', 'chat');
  setParameter(form, 'temperature', 0.2);
  changeWithUndo(form, () => setParameter(form, 'temperature', 1), 'Applied');
  setParameter(form, 'temperature', 0.9);
  await undoNamed('Applied');
  expect(form.state.getState().values.parameters).toEqual({ temperature: 0.2 });
  expect(offers()).toMatchObject([{ message: 'Restored. Newer changes were replaced.' }]);
});

it('says nothing of what was taken back already', async () => {
  const form = createForm('completion', 'completion');
  const write = (prompt: string) => form.change({ input: { prompt } });
  write('Mine');
  changeWithUndo(form, () => write('An example'), 'Replaced by the example');
  write('Mine');
  await undoNamed('Replaced by the example');
  expect(form.state.getState().values.input.prompt).toBe('Mine');
  expect(offers()).toEqual([]);
});

it('offers nothing where nothing was lost', () => {
  const form = createForm('completion', 'completion');
  changeWithUndo(form, () => form.change({ input: { prompt: 'An example' } }), 'Replaced');
  expect(offers()).toEqual([]);
});
