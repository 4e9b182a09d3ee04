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
import { getParamValues } from '../../shared/param.ts';
import { describedField } from '../fixtures/described-field.ts';

const field = describedField('n', {
  title: 'Choices',
  control: 'number',
  integer: true,
  minimum: 1,
  gatewayDefault: 1,
  startValue: 1,
});
const stop = describedField('stop', { control: 'lines' });
const tools = describedField('tools', { control: 'json' });
const user = describedField('user', { control: 'text' });
const fields = [field, stop, tools, user, describedField('stream', { control: 'switch' })];
const operation: OperationDescription = {
  name: 'chat',
  objects: {},
  renamable: [],
  draft: { stream: true },
  fields,
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
  const draft = () => getDraft(form.state.getState().values, operation);
  return { form, draft, values: () => getParamValues(draft().params) };
}

beforeEach(() => {
  main.written = [];
});

describe('the parameters of a form', () => {
  it('starts with defaults, and clears and resets values', () => {
    const { form, values } = newForm();
    expect(values()).toEqual({ stream: true });
    clearParameter(form, 'stream');
    expect(values()).toEqual({});
    resetParameters(form);
    expect(values()).toEqual({ stream: true });
  });

  it('keeps an incomplete number as text without sending it', () => {
    const { form, draft, values } = newForm();
    typeParameter(form, field, '4');
    expect(values().n).toBe(4);
    typeParameter(form, field, '4x');
    expect(draft().params.n).toEqual({ text: '4x' });
    expect(values()).toEqual({ stream: true });
  });

  it('omits the default of a field with invalid text', () => {
    const { form } = newForm();
    typeParameter(form, field, 'none');
    const preset = getDraft(form.state.getState().values, { ...operation, draft: { n: 2 } });
    expect(preset.params).toEqual({ n: { text: 'none' } });
  });

  it.each([field, stop, user])('unsets an empty $control', (emptied) => {
    const { form, draft, values } = newForm();
    typeParameter(form, emptied, '1');
    typeParameter(form, emptied, '');
    expect(draft().params[emptied.name]).toEqual({ off: true });
    expect(values()).toEqual({ stream: true });
  });

  it('reads one stop sequence per line and \\n as a line break', () => {
    const { form, draft } = newForm();
    typeParameter(form, stop, 'END\n\\n\\n\n ');
    expect(draft().params.stop?.value).toEqual(['END', '\n\n', ' ']);
  });

  it('keeps the layout of a JSON value', () => {
    const { form, draft } = newForm();
    typeParameter(form, tools, '[ ]');
    expect(draft().params.tools).toEqual({ value: [], text: '[ ]' });
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
    expect(draft()).toEqual({
      params: { stream: { off: true }, n: { value: 3 }, voice: { as: 'speaker' } },
      extraBody: '{\n  "top_k": 1\n}',
    });
  });

  it('keeps the API field name when the value changes, and the value when the name changes', () => {
    const { form } = newForm();
    const rename = (as: string) => form.change({ params: { n: { as } } });
    rename('count');
    typeParameter(form, field, '4x');
    rename('total');
    expect(form.state.getState().values.params.n).toEqual({ as: 'total', text: '4x' });
    clearParameter(form, 'n');
    expect(form.state.getState().values.params.n).toEqual({ as: 'total', off: true });
    resetParameters(form);
    expect(form.state.getState().values.params).toEqual({});
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
      content: {
        fields: { params: { n: { value: 2 }, user: { value: 'me' }, stream: { off: true } } },
      },
      unset: [],
    });
  });
});
