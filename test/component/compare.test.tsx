import { beforeEach, describe, expect, it, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';

import { useLinkState } from '../../renderer/lib/link-state.ts';
import { undo, useUndo } from '../../renderer/lib/undo.ts';

import { openComparison } from '../../renderer/run/compare/open-comparison.ts';
import {
  emptyVariant,
  getVariantForm,
  pickOwnParameters,
} from '../../renderer/run/compare/variant-form.ts';
import {
  addVariant,
  changeVariant,
  fillVariants,
  getVariants,
  moveVariant,
  removeVariant,
  resetToForm,
  setComparing,
  usesFormModel,
} from '../../renderer/run/compare/variants.ts';
import type { Form } from '../../renderer/run/form/form.ts';
import { panelForms } from '../../renderer/run/form/panel-forms.ts';
import { applyPreset } from '../../renderer/run/form/parameter-presets.ts';
import {
  clearParameter,
  getDraft,
  resetParameters,
  setParameter,
} from '../../renderer/run/form/parameters.ts';
import type { Comparison } from '../../shared/comparison.ts';

import type { JsonObject } from '../../shared/json.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { getParamValues, getWireNames } from '../../shared/param.ts';

import { resetForms } from './forms-fixtures.ts';
import { main } from './panel-fake-main.ts';
import { resetPanels } from './panel-fixtures.tsx';
import { openVideoPanel, resetVideoPanel } from './video-fixtures.tsx';
import './panel-fake-main.ts';
import { boxOf, documents, form, openPanel, openRankings } from './ranking-fixtures.tsx';

describe('variants', () => {
  const form = panelForms.speech;
  const values = () => form.state.getState().values;
  const variants = () => getVariants(values().variants);
  const sentBy = (one: Form<OperationName>) => getParamValues(one.state.getState().values.params);

  const speech = describeOperation('speech');

  beforeEach(async () => {
    resetForms();
    await form.load();
    setComparing(form, true);
  });

  function second() {
    const [, variant] = variants();
    if (variant === undefined) throw new TypeError('No second variant');
    return { id: variant.id, form: getVariantForm(form, variant.id) };
  }

  test('starts with two variants that match the form', () => {
    setParameter(form, 'speed', 1.5);
    expect(variants()).toHaveLength(2);
    expect(sentBy(second().form)).toEqual({ speed: 1.5 });
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
    expect(sentBy(own)).toEqual({ speed: 2, instructions: 'Softly' });
    expect(sentBy(form)).toEqual({ speed: 0.5, instructions: 'Softly' });
    clearParameter(own, 'instructions');
    expect(sentBy(own)).toEqual({ speed: 2 });
    own.change({ params: { speed: { as: 'rate' } } });
    resetToForm(form, second().id, 'speed');
    expect(sentBy(own)).toEqual({ speed: 0.5 });
    expect(own.state.getState().values.params.speed?.as).toBe('rate');
    expect([...pickOwnParameters(variants()[1] ?? expect.fail())]).toEqual(['instructions']);
    own.change({ extraBody: '{"seed": 2}' });
    resetParameters(own);
    form.change({ extraBody: '{"seed": 1}' });
    expect(own.state.getState().values.params).toEqual(values().params);
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
    form.change({
      params: { response_format: { text: 'op' }, speed: { as: 'rate' } },
      extraBody: '{"seed": 1}',
    });
    const { form: own } = second();
    setParameter(own, 'speed', 3);
    const before = variants()[1];
    const params = { instructions: { value: 'Softly' } };
    const chosen = { connectionId: 'demo', model: 'demo-model', listedModels: null };
    const target = { form: own, ...chosen, conversation: null };
    applyPreset(target, {
      name: 'Soft',
      settings: { params, extraBody: '', model: 'other-model' },
    });
    expect(variants()[1]?.models).toEqual({ demo: 'other-model' });
    expect(values().models).toEqual({});
    const applied = own.state.getState().values;
    const { params: sent, extraBody } = getDraft(applied, speech);
    expect(getParamValues(sent)).toEqual({ voice: 'alloy', instructions: 'Softly' });
    expect(sent.response_format).toEqual({ off: true });
    expect([getWireNames(sent), extraBody]).toEqual([{}, '']);
    expect(sentBy(form)).toMatchObject({ voice: 'echo', speed: 0.5 });
    await undo(
      useUndo
        .getState()
        .offers.find(({ message }) => message === '“Soft” applied: parameters and model')?.id ?? 0,
    );
    expect(variants()[1]).toEqual(before);
  });

  test('adds, moves, removes and fills variants', () => {
    const { id } = second();
    changeVariant(form, id, { name: 'Second', params: { speed: { value: 2 } } });
    const added = addVariant(form);
    expect(variants().map(({ name, params }) => [name, getParamValues(params)])).toEqual([
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
});

describe('results', () => {
  beforeEach(async () => {
    await page.viewport(1360, 860);
    location.hash = '#/rerank';
    resetPanels();
  });

  describe('two rankings', () => {
    it('fits rankings in a 1360 px window with collapsed documents', async () => {
      const { screen, results, cell } = await openRankings();
      const fold = screen.getByRole('button', { name: '2 documents' });
      await expect.element(fold).toHaveAttribute('aria-expanded', 'false');
      await expect.element(cell('first')).toBeVisible();
      const rankings = results.getByRole('region', { name: 'Ranking comparison' });
      for (const document of rankings.getByText(documents[1] ?? '').all()) {
        expect(boxOf(document).bottom).toBeLessThanOrEqual(860);
      }
      expect(rankings.getByText(documents[0] ?? '').elements()).toHaveLength(2);
      const times = ['first', 'second'].map((name) => {
        const box = boxOf(cell(name));
        expect(box.height).toBeLessThanOrEqual(40);
        expect(cell(name).element().textContent).not.toMatch(/ranked|documents/i);
        const { top, right } = boxOf(cell(name).getByText('Total 46 ms'));
        return { top, end: Math.round(box.right - right) };
      });
      expect(times[1]).toEqual(times[0]);
      const blind = results.getByRole('switch', { name: 'Blind' });
      expect(boxOf(results.getByText('2 of 2 requests done')).bottom).toBeGreaterThan(
        boxOf(blind).top,
      );
      await fold.click();
      await expect.element(screen.getByRole('textbox', { name: 'Documents' })).toBeVisible();
    });

    it('shows a stopped request as stopped, not as failed', async () => {
      const { results, cell } = await openRankings({ second: 'cancelled' });
      await expect.element(results.getByText('2 of 2 requests done · 1 stopped')).toBeVisible();
      await expect.element(cell('second').getByText('Stopped')).toBeVisible();
      expect(results.getByRole('button', { name: 'Retry failed' }).elements()).toEqual([]);
      expect(results.getByRole('alert').elements()).toEqual([]);
      await results.getByText('Metrics', { exact: true }).click();
      const row = results.getByRole('row', { name: /^second/ });
      await expect.element(row.getByRole('cell').first()).toMatchTextContent(/^1 stopped$/);
    });
  });

  describe('Blind', () => {
    it('turns on before sending and stays on for the next run', async () => {
      // The fake main process has no comparison, so each Run starts one.
      useLinkState.setState('open', true);
      setComparing(form, true);
      const screen = await openPanel();
      form.change({ input: { query: 'gate', documents: documents.join('\n') } });
      await screen.getByRole('switch', { name: 'Blind' }).click();
      const run = screen.getByRole('button', { name: 'Run', exact: true });
      for (const sent of [1, 2]) {
        await run.click();
        await expect.poll(() => main.noted.length).toBe(sent);
        expect(main.noted.at(-1)).toMatchObject({ kind: 'blind', blind: { isHidden: true } });
      }
      expect(form.state.getState().values.blind).toBe(true);
    });
  });
});

describe('an opened comparison', () => {
  beforeEach(() => {
    resetVideoPanel();
    useLinkState.setState('open', true);
  });

  /** Stores a comparison whose form had the extra parameter `camera`. */
  function layDownScenes(): void {
    const variant = (id: string, differences: string[], request: JsonObject) => ({
      id,
      name: '',
      connectionId: 'demo',
      extraBody: {},
      wireNames: {},
      differences,
      request: { model: 'demo-model', ...request },
    });
    const scenes: Comparison = {
      id: 'scenes',
      title: 'Scenes',
      operation: 'video',
      createdAt: 0,
      repeats: 2,
      conversationId: null,
      sourceComparisonId: null,
      rows: [
        {
          id: 'input',
          label: 'A boat',
          sourceRunId: null,
          variants: [],
          request: { prompt: 'A boat', metadata: { camera: 'ink' } },
        },
      ],
      variants: [
        variant('plain', [], {}),
        variant('oil', ['camera oil'], { metadata: { camera: 'oil' } }),
        variant('lake', ['“A lake”'], { prompt: 'A lake', duration: 4 }),
      ],
    };
    main.plans.set('scenes', scenes);
  }

  it('opens a new variant at its model, and shows the model below another name', async () => {
    const screen = await openVideoPanel();
    const form = panelForms.video;
    fillVariants(form, [{ ...emptyVariant, models: { demo: 'demo-model' } }], 'instead');
    form.change({ comparing: true });
    await screen.getByRole('button', { name: 'Add variant' }).click();
    const editor = screen.getByRole('dialog', { name: 'Edit variant' });
    await expect.element(editor.getByRole('combobox', { name: 'Model' })).toHaveFocus();
    await userEvent.keyboard('other-model{Enter}');
    await expect.element(editor.getByRole('textbox', { name: 'Name' })).toHaveValue('');
    const edit = (name: string) => screen.getByRole('button', { name, exact: true });
    await expect.element(edit('Edit other-model')).toBeInTheDocument();
    await editor.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await expect.element(edit('Edit Mine other-model')).toBeInTheDocument();
  });

  it('opens a comparison with its input and variants, and toggles between Undo and Use this input', async () => {
    layDownScenes();
    const screen = await openVideoPanel();
    const values = () => panelForms.video.state.getState().values;
    panelForms.video.change({ input: { prompt: 'Mine' }, params: { fps: { value: 24 } } });
    await openComparison('scenes');
    const edit = (name: string) => screen.getByRole('button', { name, exact: true });
    await expect.element(edit('Edit demo-model fps not sent')).toBeVisible();
    await expect.element(edit('Edit demo-model “A lake” duration 4 fps not sent')).toBeVisible();
    expect(values()).toMatchObject({
      comparing: true,
      comparisonId: 'scenes',
      repeats: 2,
      input: { prompt: 'A boat' },
    });
    await edit('Edit demo-model camera oil fps not sent').click();
    const editor = screen.getByRole('dialog', { name: 'Edit variant' });
    const camera = editor.getByRole('combobox', { name: 'camera' });
    await expect.element(camera).toHaveValue('oil');
    await camera.fill('');
    await expect.element(edit('Edit demo-model (2) fps not sent')).toBeInTheDocument();
    await editor.getByRole('button', { name: 'More', exact: true }).click();
    await expect.element(editor.getByRole('textbox', { name: 'Extra JSON' })).toHaveValue('');
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByText('Input replaced')).toBeVisible();
    const undo = screen.getByRole('button', { name: 'Undo' });
    await undo.click();
    expect(values()).toMatchObject({
      comparisonId: null,
      comparing: false,
      input: { prompt: 'Mine' },
    });

    await openComparison('scenes');
    const comparison = screen.getByRole('region', { name: 'Comparison' });
    const other = comparison.getByText('Ran with a different input · Prompt: A boat');
    const use = comparison.getByRole('button', { name: 'Use this input' });
    await expect.element(comparison).toBeVisible();
    await expect.element(use).not.toBeInTheDocument();
    panelForms.video.change({ input: { prompt: 'A lake' } });
    await expect.element(other).toBeVisible();
    await use.click();
    await expect.element(other).not.toBeInTheDocument();
    expect(values().input.prompt).toBe('A boat');
    await undo.last().click();
    expect(values().input.prompt).toBe('A lake');
  });
});
