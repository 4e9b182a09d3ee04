import { beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('../../renderer/lib/api.ts', () => ({
  api: { forms: { change: () => new Promise(() => undefined) } },
  orpc: {},
}));

import { undo, useUndo, withdrawOffer } from '../../renderer/lib/undo.ts';
import { createForm } from '../../renderer/run/form/form.ts';
import {
  applyPreset,
  capturePreset,
  describePreset,
  listParts,
  type PresetTarget,
} from '../../renderer/run/form/parameter-presets.ts';
import { setParameter } from '../../renderer/run/form/parameters.ts';
import type { ConversationParts } from '../../shared/saved-items.ts';

const weather = { id: 'tool-1', name: 'get_weather' };
const search = { id: 'tool-2', name: 'search' };

function newTarget(parts: Partial<ConversationParts> = {}) {
  const form = createForm('chat', 'chat');
  let now: ConversationParts = {
    systemMessage: '',
    tools: { on: [], choice: null },
    responseFormat: null,
    ...parts,
  };
  const target: PresetTarget = {
    form,
    connectionId: 'demo',
    model: 'demo-echo',
    listedModels: ['demo-echo'],
    conversation: {
      read: () => now,
      change: (change) => {
        now = { ...now, ...change };
      },
      hasTool: (id) => id !== search.id,
    },
  };
  return { form, target, parts: () => now, models: () => form.state.getState().values.models };
}

const all = new Set(['model', 'systemMessage', 'tools', 'responseFormat'] as const);
const full = {
  systemMessage: 'Answer in JSON.',
  tools: { on: [weather], choice: 'required' as const },
  responseFormat: { type: 'json_object' },
};
const offers = () => useUndo.getState().offers.map(({ message }) => message);
const undoLast = () => undo(useUndo.getState().offers.at(-1)?.id ?? 0);

beforeEach(() => {
  for (const { id } of useUndo.getState().offers) withdrawOffer(id);
});

describe('a preset', () => {
  it('includes and lists the chosen parts', () => {
    const { target, form } = newTarget(full);
    setParameter(form, 'temperature', 0.2);
    const set = listParts(target).filter(({ isSet }) => isSet);
    expect(set.map(({ part }) => part)).toEqual([...all]);
    expect(listParts(target)).toHaveLength(4);
    const whole = capturePreset(target, all);
    expect(whole).toMatchObject({ ...full, model: 'demo-echo' });
    expect(whole.params).toEqual({ temperature: { value: 0.2 } });
    expect(describePreset(whole)).toBe('demo-echo · System message · 1 tool · Response format');
    const bare = capturePreset(target, new Set());
    expect(Object.keys(bare)).toEqual(['params', 'extraBody']);
    expect(describePreset(bare)).toBe('');
  });

  it('offers only parts that the target supports', () => {
    const { target } = newTarget();
    expect(listParts({ ...target, conversation: null }).map(({ part }) => part)).toEqual(['model']);
    expect(listParts({ ...target, model: '' }).every(({ isSet }) => !isSet)).toBe(true);
  });

  it('applies all settings, and reverts them with one Undo', async () => {
    const source = newTarget(full);
    setParameter(source.form, 'temperature', 0.2);
    const settings = { ...capturePreset(source.target, all), model: 'not-listed' };
    const { target, parts, models, form } = newTarget({ systemMessage: 'Be brief.' });
    const before = parts();
    applyPreset(target, { name: 'Extract', settings });
    expect(parts()).toEqual(full);
    expect(models()).toEqual({ demo: 'not-listed' });
    expect(form.state.getState().values.params).toEqual({ temperature: { value: 0.2 } });
    expect(offers()).toEqual([
      '“Extract” applied: parameters, model, system message, tools, and response format. ' +
        '“not-listed” used as model ID',
    ]);
    await undoLast();
    expect(parts()).toEqual(before);
    expect(models()).toEqual({});
    expect(form.state.getState().values.params).toEqual({});
  });

  it('keeps later changes when the user undoes it', async () => {
    const { target, parts } = newTarget({ systemMessage: 'Be brief.' });
    applyPreset(target, {
      name: 'Extract',
      settings: capturePreset(newTarget(full).target, all),
    });
    target.conversation?.change({ responseFormat: { type: 'text' } });
    await undoLast();
    expect(parts()).toEqual({
      systemMessage: 'Be brief.',
      tools: { on: [], choice: null },
      responseFormat: { type: 'text' },
    });
  });

  it('keeps settings that an older preset lacks', () => {
    const { target, parts, models } = newTarget(full);
    const settings = capturePreset(target, new Set());
    const older = { ...settings, params: { max_tokens: { value: 12 } } };
    applyPreset(target, { name: 'Older', settings: older });
    expect(parts()).toEqual(full);
    expect(models()).toEqual({});
    expect(offers()).toEqual(['“Older” applied: parameters']);
  });

  it('clears a part that was empty when the preset was saved', () => {
    const settings = capturePreset(newTarget().target, all);
    const { target, parts } = newTarget(full);
    applyPreset(target, { name: 'Plain', settings });
    expect(parts()).toMatchObject({ systemMessage: '', responseFormat: null });
    expect(offers()).toEqual(['“Plain” applied: system message, tools, and response format']);
  });

  it('skips and names a deleted tool', () => {
    const { target, parts } = newTarget();
    const tools = { on: [weather, search], choice: null };
    const settings = { ...capturePreset(target, new Set()), tools };
    applyPreset(target, { name: 'Tools', settings });
    expect(parts().tools.on).toEqual([weather]);
    expect(offers()).toEqual(['“Tools” applied: tools. The tool search was deleted']);
  });

  it('reports that nothing would change', () => {
    const { target } = newTarget(full);
    applyPreset(target, { name: 'Same', settings: capturePreset(target, all) });
    expect(offers()).toEqual(['“Same” changed nothing']);
  });
});
