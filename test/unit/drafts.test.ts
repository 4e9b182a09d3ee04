import { beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  FieldDescription,
  OperationDescription,
} from '../../shared/operations/form/description.ts';

const field: FieldDescription = {
  name: 'n',
  title: 'Choices',
  description: '',
  group: 'Output',
  control: 'number',
  integer: true,
  minimum: 1,
  maximum: null,
  maxLength: null,
  step: null,
  options: [],
  suggestions: [],
  gatewayDefault: 1,
  startValue: 1,
};
const stop: FieldDescription = { ...field, name: 'stop', control: 'lines' };
const tools: FieldDescription = { ...field, name: 'tools', control: 'json' };
const user: FieldDescription = { ...field, name: 'user', control: 'text' };
const operation: OperationDescription = {
  name: 'chat',
  renamable: [],
  draft: { stream: true },
  fields: [field, stop, tools, user],
};

async function freshDrafts() {
  vi.resetModules();
  const { useDrafts, draftOf } = await import('../../renderer/run/form/drafts.ts');
  const state = useDrafts.getState;
  return { actions: state(), draft: () => draftOf(state().drafts, operation), state };
}

describe('drafts', () => {
  beforeEach(() => {
    const stored = new Map<string, string>();
    const localStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    };
    vi.stubGlobal('window', { localStorage });
  });

  it('starts with what the operation sets, visible and removable', async () => {
    const { actions, draft } = await freshDrafts();
    expect(draft().parameters).toEqual({ stream: true });
    actions.unsetParameter(operation, 'stream');
    expect(draft().parameters).toEqual({});
    actions.resetParameters(operation);
    expect(draft().parameters).toEqual({ stream: true });
  });

  it('keeps a number that is not one yet as text, unsent', async () => {
    const { actions, draft } = await freshDrafts();
    actions.typeParameter(operation, field, '4');
    expect(draft().parameters.n).toBe(4);
    actions.typeParameter(operation, field, '4x');
    expect(draft()).toMatchObject({ parameters: { stream: true }, typed: { n: '4x' } });
    expect(draft().parameters).not.toHaveProperty('n');
  });

  it.each([field, stop, user])('unsets an emptied $control', async (emptied) => {
    const { actions, draft } = await freshDrafts();
    actions.typeParameter(operation, emptied, '1');
    actions.typeParameter(operation, emptied, '');
    expect(draft()).toEqual({ parameters: { stream: true }, typed: {}, extraBody: '' });
  });

  it('reads stop sequences a line each, with \\n as a line break', async () => {
    const { actions, draft } = await freshDrafts();
    actions.typeParameter(operation, stop, 'END\n\\n\\n\n ');
    expect(draft().parameters.stop).toEqual(['END', '\n\n', ' ']);
  });

  it('keeps JSON as it was laid out beside its value', async () => {
    const { actions, draft } = await freshDrafts();
    actions.typeParameter(operation, tools, '[ ]');
    expect(draft()).toMatchObject({ parameters: { tools: [] }, typed: { tools: '[ ]' } });
  });

  it('finds the draft again after a reload', async () => {
    const { actions } = await freshDrafts();
    actions.typeParameter(operation, field, '3');
    actions.setExtraBody(operation, '{"top_k": 1}');
    const reloaded = await freshDrafts();
    expect(reloaded.draft()).toEqual({
      parameters: { stream: true, n: 3 },
      typed: { n: '3' },
      extraBody: '{"top_k": 1}',
    });
  });

  it('remembers the model for each connection and operation', async () => {
    const { actions, state } = await freshDrafts();
    actions.chooseModel('demo', 'chat', 'demo-story');
    actions.chooseModel('mine', 'chat', 'large');
    actions.chooseModel('demo', 'completion', 'demo-echo');
    expect(state().models).toEqual({
      'demo chat': 'demo-story',
      'mine chat': 'large',
      'demo completion': 'demo-echo',
    });
  });
});
