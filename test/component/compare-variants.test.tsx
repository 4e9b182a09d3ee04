import { beforeEach, expect, test } from 'vitest';
import { undo, useUndo } from '../../renderer/lib/undo.ts';
import {
  emptyVariant,
  pickOwnParameters,
  resetToForm,
  variantForm,
} from '../../renderer/run/compare/variant-form.ts';
import {
  addVariant,
  changeVariant,
  fillVariants,
  getVariants,
  moveVariant,
  removeVariant,
  setComparing,
  usesFormModel,
} from '../../renderer/run/compare/variants.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import {
  clearParameter,
  getDraft,
  resetParameters,
  setParameter,
} from '../../renderer/run/form/parameters.ts';
import { applyPreset } from '../../renderer/run/form/presets.ts';
import { getRenamedFields } from '../../renderer/run/form/validate-form.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import { resetForms } from './forms-fixtures.ts';
import './panel-fake-main.ts';

const form = panelForms.speech;
const values = () => form.state.getState().values;
const variants = () => getVariants(values().variants);

const speech = describeOperation('speech');

beforeEach(async () => {
  resetForms();
  await form.load();
  setComparing(form, true);
});

function second() {
  const [, variant] = variants();
  if (variant === undefined) throw new TypeError('No second variant');
  return { id: variant.id, form: variantForm(form, variant.id) };
}

test('starts with two variants that match the form', () => {
  setParameter(form, 'speed', 1.5);
  expect(variants()).toHaveLength(2);
  expect(second().form.state.getState().values.parameters).toEqual({ speed: 1.5 });
  setComparing(form, false);
  setComparing(form, true);
  expect(variants()).toHaveLength(2);
});

test('starts the second variant without a model if the connection is known', () => {
  fillVariants(form, [], 'instead');
  setComparing(form, true, 'gateway');
  expect(variants().map(({ models }) => models)).toEqual([{}, { gateway: '' }]);
});

test('shows the form’s model only while an included variant inherits it', () => {
  const [inherits, own] = [emptyVariant, { ...emptyVariant, models: { gateway: 'demo-echo' } }];
  expect(usesFormModel([inherits, own], 'gateway')).toBe(true);
  expect(usesFormModel([own, own], 'gateway')).toBe(false);
  expect(usesFormModel([{ ...inherits, excluded: true }, own], 'gateway')).toBe(false);
  expect(usesFormModel([own], 'other')).toBe(true);
});

test('inherits every setting that a variant hasn’t set', () => {
  const own = second().form;
  setParameter(own, 'speed', 2);
  setParameter(form, 'speed', 0.5);
  setParameter(form, 'instructions', 'Softly');
  expect(own.state.getState().values.parameters).toEqual({ speed: 2, instructions: 'Softly' });
  expect(values().parameters).toEqual({ speed: 0.5, instructions: 'Softly' });
  clearParameter(own, 'instructions');
  expect(own.state.getState().values.parameters).toEqual({ speed: 2 });
  resetToForm(own, 'speed');
  expect(own.state.getState().values.parameters).toEqual({ speed: 0.5 });
  expect([...pickOwnParameters(variants()[1] ?? expect.fail())]).toEqual(['instructions']);
  own.change({ extraBody: '{"seed": 2}' });
  resetParameters(own);
  form.change({ extraBody: '{"seed": 1}' });
  expect(own.state.getState().values.parameters).toEqual(values().parameters);
  expect(own.state.getState().values.extraBody).toBe('{"seed": 1}');
});

test('keeps a connection per variant, and replaces the form’s extra fields with its own', () => {
  form.change({ extraBody: '{"seed": 1}' });
  const own = second().form;
  expect(own.choosesConnection).toBe('of its own');
  own.change({ connectionId: 'other', models: { other: 'm' }, extraBody: '{"seed": 2}' });
  expect(values()).toMatchObject({ connectionId: null, models: {}, extraBody: '{"seed": 1}' });
  expect(own.state.getState().values).toMatchObject({
    connectionId: 'other',
    models: { other: 'm' },
    extraBody: '{"seed": 2}',
  });
});

test('replaces every setting of a variant with a preset, with Undo', async () => {
  setParameter(form, 'voice', 'echo');
  setParameter(form, 'speed', 0.5);
  form.change({ typed: { response_format: 'op' } });
  form.change({ extraBody: '{"seed": 1}', wireNames: { speed: 'rate' } });
  const { form: own } = second();
  setParameter(own, 'speed', 3);
  const before = variants()[1];
  const settings = { parameters: { instructions: 'Softly' }, cleared: {}, typed: {} };
  const chosen = { connectionId: 'demo', model: 'demo-model', listedModels: null };
  const target = { form: own, ...chosen, conversation: null };
  applyPreset(target, {
    name: 'Soft',
    settings: { ...settings, wireNames: {}, extraBody: '', model: 'other-model' },
  });
  expect(variants()[1]?.models).toEqual({ demo: 'other-model' });
  expect(values().models).toEqual({});
  const applied = own.state.getState().values;
  expect(getDraft(applied, speech)).toEqual({
    parameters: { voice: 'alloy', instructions: 'Softly' },
    typed: {},
    extraBody: '',
  });
  expect(getRenamedFields(applied.wireNames)).toEqual({});
  expect(values().parameters).toMatchObject({ voice: 'echo', speed: 0.5 });
  await undo(
    useUndo
      .getState()
      .offers.find(({ message }) => message === '“Soft” applied: parameters and model')?.id ?? 0,
  );
  expect(variants()[1]).toEqual(before);
});

test('adds, moves, removes and fills variants', () => {
  const { id } = second();
  changeVariant(form, id, { name: 'Second', parameters: { speed: 2 } });
  const added = addVariant(form);
  expect(variants().map(({ name, parameters }) => [name, parameters])).toEqual([
    ['', {}],
    ['Second', { speed: 2 }],
    ['', { speed: 2 }],
  ]);
  moveVariant(form, added, -1);
  expect(variants()[1]?.id).toBe(added);
  moveVariant(form, variants()[0]?.id ?? '', -1);
  removeVariant(form, id);
  expect(variants().map((one) => one.id)).not.toContain(id);
  const [draft] = variants();
  if (draft === undefined) throw new TypeError('No variant');
  const { id: _, ...first } = draft;
  fillVariants(form, [first, first, first], 'behind');
  expect(variants()).toHaveLength(5);
  fillVariants(form, [first], 'instead');
  expect(variants()).toHaveLength(1);
});
