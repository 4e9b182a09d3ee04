import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createForm } from '../../renderer/run/form/form.ts';
import {
  clearParameter,
  getDraft,
  resetParameters,
  restoreParameters,
  setParameter,
  typeParameter,
} from '../../renderer/run/form/parameters.ts';
import type { FormChange } from '../../shared/form.ts';
import type { OperationDescription } from '../../shared/operations/form/describe.ts';
import { describedField } from '../fixtures/described-field.ts';

const field = describedField('n', {
  ...{ title: 'Choices', control: 'number', integer: true, minimum: 1 },
  ...{ gatewayDefault: 1, startValue: 1 },
});
const stop = describedField('stop', { control: 'lines' });
const tools = describedField('tools', { control: 'json' });
const user = describedField('user', { control: 'text' });
const fields = [field, stop, tools, user, describedField('stream', { control: 'switch' })];
const operation: OperationDescription = {
  ...{ name: 'chat', objects: {}, renamable: [], draft: { stream: true }, fields },
};

const main = vi.hoisted(() => ({ written: [] as FormChange[] }));
vi.mock('../../renderer/lib/api.ts', () => ({
  api: {
    forms: {
      change: async (change: FormChange) => {
        main.written.push(change);
        return { revision: 1, content: { operation: 'chat', fields: {} }, names: [] };
      },
    },
  },
  orpc: {},
}));

function newForm() {
  const form = createForm('chat', 'chat');
  return { form, draft: () => getDraft(form.state.getState().values, operation) };
}

beforeEach(() => {
  main.written = [];
});

describe('the parameters of a form', () => {
  it('starts with defaults, and clears and resets values', () => {
    const { form, draft } = newForm();
    expect(draft().parameters).toEqual({ stream: true });
    clearParameter(form, 'stream');
    expect(draft().parameters).toEqual({});
    resetParameters(form);
    expect(draft().parameters).toEqual({ stream: true });
  });

  it('keeps an incomplete number as text without sending it', () => {
    const { form, draft } = newForm();
    typeParameter(form, field, '4');
    expect(draft().parameters.n).toBe(4);
    typeParameter(form, field, '4x');
    expect(draft()).toMatchObject({ parameters: { stream: true }, typed: { n: '4x' } });
    expect(draft().parameters).not.toHaveProperty('n');
  });

  it('omits the default of a field with invalid text', () => {
    const { form } = newForm();
    typeParameter(form, field, 'none');
    const preset = getDraft(form.state.getState().values, { ...operation, draft: { n: 2 } });
    expect(preset.parameters).toEqual({});
  });

  it.each([field, stop, user])('unsets an empty $control', (emptied) => {
    const { form, draft } = newForm();
    typeParameter(form, emptied, '1');
    typeParameter(form, emptied, '');
    expect(draft()).toEqual({ parameters: { stream: true }, typed: {}, extraBody: '' });
  });

  it('reads one stop sequence per line and \\n as a line break', () => {
    const { form, draft } = newForm();
    typeParameter(form, stop, 'END\n\\n\\n\n ');
    expect(draft().parameters.stop).toEqual(['END', '\n\n', ' ']);
  });

  it('keeps the layout of JSON along with its value', () => {
    const { form, draft } = newForm();
    typeParameter(form, tools, '[ ]');
    expect(draft()).toMatchObject({ parameters: { tools: [] }, typed: { tools: '[ ]' } });
  });

  it('restores the parameters of a recorded run', () => {
    const { form, draft } = newForm();
    typeParameter(form, stop, 'END');
    typeParameter(form, user, 'me');
    restoreParameters(form, operation, {
      request: { n: 3, messages: [] },
      extraBody: { top_k: 1 },
      wireNames: { voice: 'speaker' },
    });
    expect(draft()).toEqual({ parameters: { n: 3 }, typed: {}, extraBody: '{\n  "top_k": 1\n}' });
    expect(form.state.getState().values.wireNames).toEqual({ voice: 'speaker' });
  });

  it('saves parameters as separate fields', async () => {
    const { form } = newForm();
    setParameter(form, 'n', 2);
    typeParameter(form, user, 'me');
    clearParameter(form, 'stream');
    form.flush();
    await vi.waitFor(() => expect(main.written).toHaveLength(1));
    expect(main.written[0]).toMatchObject({
      id: 'chat',
      content: { fields: { parameters: { n: 2, user: 'me' }, cleared: { stream: true } } },
      unset: ['typed.n', 'parameters.stream', 'typed.stream'],
    });
  });
});
