import { beforeEach, describe, expect, it, vi } from 'vitest';
import { comparedChat } from '../../renderer/features/chat/session/compared-chat.ts';
import { comparedCompletion } from '../../renderer/features/completion/continuations.ts';
import { comparedImage } from '../../renderer/features/image/compared-image.ts';
import { comparedRerank } from '../../renderer/features/rerank/rerank-request.ts';
import { comparedSpeech } from '../../renderer/features/speech/compared-speech.ts';
import { createTranscriptionInput } from '../../renderer/features/transcription/transcription-request.ts';
import { comparedVideo } from '../../renderer/features/video/video-form-values.ts';
import type { ComparedInput } from '../../renderer/run/compare/compared-input.ts';
import {
  getInputState,
  loadComparison,
  restoreInput,
} from '../../renderer/run/compare/load-comparison.ts';
import { planComparison } from '../../renderer/run/compare/send-comparison.ts';
import { emptyVariant, getVariantForm } from '../../renderer/run/compare/variant-form.ts';
import { getVariants } from '../../renderer/run/compare/variants.ts';
import { createForm, type Form } from '../../renderer/run/form/form.ts';
import { chooseFormat } from '../../renderer/run/form/use-model.ts';
import type { Comparison, ComparisonPlan } from '../../shared/comparison.ts';
import type { FormFields, VariantDraft } from '../../shared/form.ts';
import { joinFieldName } from '../../shared/form-fields.ts';
import type { JsonObject } from '../../shared/json.ts';
import { createMediaReference } from '../../shared/media.ts';
import { emptyInputs } from '../../shared/operations/empty-inputs.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';

vi.mock('../../renderer/lib/api.ts', () => {
  const query = (name: string, answer: () => unknown) => ({
    queryKey: () => [name],
    queryOptions: (options: object = {}) => ({ queryKey: [name, options], queryFn: answer }),
  });
  const never = () => new Promise(() => undefined);
  return {
    api: { forms: { get: never, change: never } },
    orpc: {
      connections: {
        list: query('connections', () => ['one', 'two'].map((id) => ({ id, name: id }))),
      },
      settings: { get: query('settings', () => ({ selectedConnectionId: 'one' })) },
      models: { suggest: query('models', () => ({ preselected: 'm' })) },
    },
  };
});

interface Case {
  operation: OperationName;
  input: ComparedInput;
  own: JsonObject;
  values: FormFields<OperationName>;
  variants: Partial<VariantDraft>[];
}

const rows = ['style ink', 'steps 4', 'seed '].map((row) => {
  const [name = '', value = ''] = row.split(' ');
  return { name, value };
});
const cases: Case[] = [
  {
    operation: 'chat',
    input: comparedChat,
    own: {},
    values: {
      params: { temperature: { value: 0.5 }, seed: { value: 3 }, max_tokens: { as: 'max' } },
    },
    variants: [
      {},
      { params: { temperature: { value: 1 }, stream: { off: true }, seed: { off: true } } },
      { connectionId: 'two', models: { two: 'other' }, extraBody: '{"top_k": 40}', name: 'Mine' },
    ],
  },
  {
    operation: 'completion',
    input: comparedCompletion,
    own: { prompt: 'Once', suffix: 'the end' },
    values: { params: { stream: { off: true }, max_tokens: { value: 30 } } },
    variants: [
      {},
      { prompt: 'Twice' },
      { params: { stop: { value: ['.', '\n'] }, max_tokens: { value: 5 } } },
    ],
  },
  {
    operation: 'image',
    input: comparedImage,
    own: {
      contents: [{ role: 'user', parts: [{ text: 'A hill' }] }],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        seed: 3,
        imageConfig: { imageSize: '1K', personGeneration: 'none' },
      },
    },
    values: { input: { ...emptyInputs.image, imageSize: '1K' } },
    variants: [
      { settings: { aspectRatio: '16:9' } },
      { prompt: 'A lake', settings: { imageSize: '2K', responseModalities: 'IMAGE' } },
      { extraBody: '{"safety": "off"}' },
    ],
  },
  {
    operation: 'video',
    input: comparedVideo,
    own: { prompt: 'A river', image: 'media:1', metadata: { style: 'ink', steps: 4 } },
    values: { input: { ...emptyInputs.video, rows }, params: { duration: { value: 4 } } },
    variants: [
      { settings: { steps: '30', seed: '"7"' } },
      { prompt: 'A lake', settings: { style: 'oil' }, params: { duration: { value: 8 } } },
      { params: { duration: { off: true } } },
    ],
  },
  {
    operation: 'rerank',
    input: comparedRerank,
    own: { query: 'Which?', documents: ['One', 'Two'] },
    values: { params: { top_n: { value: 1 } } },
    variants: [{}, { prompt: 'What?' }, { params: { top_n: { off: true } } }],
  },
  {
    operation: 'speech',
    input: comparedSpeech,
    own: { input: 'Hello' },
    values: { params: { speed: { value: 2 }, voice: { as: 'speaker' } } },
    variants: [
      { params: { voice: { value: 'echo', as: '' } } },
      { prompt: 'Bye', params: { voice: { off: true } } },
    ],
  },
  {
    operation: 'transcription',
    input: createTranscriptionInput('Sound'),
    own: { file: createMediaReference('9f0c2f0a-7a51-4a0e-9d7c-0a1b2c3d4e5f') },
    values: { extraBody: '{"beam": 2}' },
    variants: [{ params: { language: { value: 'en' } } }, { extraBody: '' }],
  },
];
const caseOf = (operation: OperationName, change: Partial<Case> = {}): Case => ({
  ...(cases.find((one) => one.operation === operation) ?? expect.fail()),
  ...change,
});

async function planned({ input, own }: Case, form: Form<OperationName>): Promise<ComparisonPlan> {
  const result = await planComparison(form, own, input);
  return result.ok ? result.plan : expect.fail(result.problem.message);
}

function comparisonOf(plan: ComparisonPlan): Comparison {
  return structuredClone({ ...plan, id: 'c', conversationId: null, createdAt: 0 });
}

function open(form: Form<OperationName>, input: ComparedInput, plan: ComparisonPlan) {
  return loadComparison(form, input, comparisonOf(plan), form.state.getState().values);
}

function sent({ rows, variants, repeats }: ComparisonPlan) {
  return variants.map(({ differences: _, request, ...variant }) => ({
    ...variant,
    repeats,
    requests: rows.map((row) => ({ ...row.request, ...request })),
  }));
}

function formOf({ operation, values, variants }: Case): Form<OperationName> {
  const form: Form<OperationName> = createForm(operation, operation);
  const drafts = variants.map((draft, order): [string, VariantDraft] => [
    `v${order}`,
    { ...emptyVariant, ...draft, order },
  ]);
  form.change({ ...values, variants: Object.fromEntries(drafts), repeats: 2 });
  return form;
}

const draftsOf = (form: Form<OperationName>) => getVariants(form.state.getState().values.variants);

describe.each(cases)('a reopened $operation comparison', (one) => {
  let form: Form<OperationName>;
  let plan: ComparisonPlan;
  beforeEach(async () => {
    form = formOf(one);
    plan = await planned(one, form);
    const unset = plan.variants.map(({ id }) => joinFieldName('variants', id));
    form.change({ repeats: 1 }, { unset });
    expect(draftsOf(form)).toEqual([]);
  });

  it('restores its variants and plans the same requests', async () => {
    await open(form, one.input, plan);
    const chosen = one.variants.map(({ name = '', prompt = null, settings = {} }) => ({
      name,
      prompt,
      settings,
    }));
    expect(draftsOf(form)).toMatchObject(chosen);
    expect(draftsOf(form).map(({ settings }) => settings)).toEqual(
      chosen.map(({ settings }) => settings),
    );
    expect(await planned(one, form)).toEqual(plan);
  });

  it('plans the same requests after the form has changed', async () => {
    const [field] = describeOperation(one.operation).fields;
    form.change({
      params: {
        seed: { value: 99 },
        speed: { value: 3 },
        user: { value: 'me' },
        n: { value: 2 },
        prompt: { as: 'words' },
        voice: { as: 'tone' },
        max_tokens: { as: 'most' },
      },
      extraBody: '{"new": true}',
    });
    if (field !== undefined) form.change({ params: { [field.name]: { text: '?' } } });
    await open(form, one.input, plan);
    expect(sent(await planned(one, form))).toEqual(sent(plan));
  });
});

describe.each(cases.filter(({ input }) => input.own !== undefined))(
  'the input of a $operation comparison',
  (one) => {
    it('restores it in a form with another input', async () => {
      const form = formOf(one);
      const { own, promptField } = one.input;
      const sentNow = () => own?.write(form.state.getState().values.input);
      form.change({
        input: own?.read(one.own) ?? {},
        morePrompts: promptField?.several === undefined ? '' : 'Second\nThird',
      });
      expect(sentNow()).toEqual(one.own);
      form.change({
        variants: Object.fromEntries(
          draftsOf(form).map(({ id, ...draft }) => [id, { ...draft, prompt: null }]),
        ),
      });
      const plan = await planned(one, form);
      expect(getInputState(one.operation, form.state.getState().values, one.input, plan)).toBe(
        'same',
      );

      form.change({ input: emptyInputs[one.operation], morePrompts: 'Fourth' });
      expect(getInputState(one.operation, form.state.getState().values, one.input, plan)).toBe(
        'other',
      );
      await open(form, one.input, plan);
      expect(sentNow()).toEqual(one.own);
      expect(await planned(one, form)).toEqual(plan);
    });
  },
);

describe('an image comparison in the Images format', () => {
  const images = { params: { format: { value: 'images' } } };
  const input = { ...emptyInputs.image, prompt: 'A hill' };

  it('has the form’s input as long as what is sent stays the same', async () => {
    const one = caseOf('image', { values: { ...images, input }, variants: [{}] });
    const form = formOf(one);
    const own = comparedImage.own?.write(input) ?? {};
    const plan = await planned({ ...one, own }, form);
    expect(plan.rows.map(({ request }) => Object.keys(request))).toEqual([['contents']]);
    const state = () => getInputState('image', form.state.getState().values, one.input, plan);
    expect(state()).toBe('same');
    form.change({ input: { imageSize: '4K' } });
    expect(state()).toBe('same');
    form.change({ input: { prompt: 'A lake' } });
    expect(state()).toBe('other');
    restoreInput(form, one.input, plan);
    expect(form.state.getState().values.input).toEqual({ ...input, imageSize: '4K' });
  });

  it('keeps the settings if a variant sends them', async () => {
    const other = { params: { format: { off: true as const } } };
    const one = caseOf('image', { values: { ...images, input }, variants: [{}, other] });
    const form = formOf(one);
    const plan = await planned({ ...one, own: comparedImage.own?.write(input) ?? {} }, form);
    expect(plan.rows[0]?.request).toHaveProperty('generationConfig');
    expect(plan.variants.map(({ differences }) => differences)).toEqual([[], ['generateContent']]);
    form.change({ input: { imageSize: '4K' } });
    expect(getInputState('image', form.state.getState().values, one.input, plan)).toBe('other');
  });
});

describe('choosing a model', () => {
  const formatOf = (form: Form<OperationName>) => form.state.getState().values.params.format;
  const model = (id: string, format: string | null) => ({ id, format });

  it('chooses the model’s format, and keeps the current one if the model’s is unknown', () => {
    const form = createForm('image', 'image formats');
    chooseFormat(form, 'one', model('known', 'images'));
    expect(formatOf(form)).toEqual({ value: 'images' });
    chooseFormat(form, 'one', model('new', null));
    expect(formatOf(form)).toEqual({ value: 'images' });
    chooseFormat(form, 'one', model('other', ''));
    expect(formatOf(form)).toEqual({ off: true });
  });

  it('lets a variant follow its panel, unless another model needs another format', () => {
    const form = createForm('image', 'image variants');
    form.change({
      models: { one: 'm' },
      params: { format: { value: 'images' } },
      variants: { v: { ...emptyVariant, models: { one: '' } } },
    });
    const variant = getVariantForm(form, 'v');
    chooseFormat(variant, 'one', model('other', ''));
    expect(formatOf(variant)).toEqual({ off: true });
    chooseFormat(variant, 'one', model('m', ''));
    expect(formatOf(variant)).toEqual({ value: 'images' });
    chooseFormat(variant, 'one', model('new', null));
    expect(formatOf(variant)).toEqual({ value: 'images' });
  });
});

it('sends and restores repeated prompts once', async () => {
  const one = caseOf('completion', { variants: [{}] });
  const form = formOf(one);
  form.change({ input: { prompt: 'Once', suffix: 'the end' }, morePrompts: 'Twice\nOnce\nTwice' });
  const plan = await planned(one, form);
  expect(plan.rows.map(({ request }) => request.prompt)).toEqual(['Once', 'Twice']);
  const [row = expect.fail(), other = expect.fail()] = plan.rows;
  form.change({ input: { prompt: 'Mine' }, morePrompts: '' });
  await open(form, one.input, { ...plan, rows: [row, other, { ...other, id: 'again' }] });
  expect(form.state.getState().values).toMatchObject({
    input: { prompt: 'Once', suffix: 'the end' },
    morePrompts: 'Twice',
  });
});

it('keeps the form if no form could produce the comparison’s rows', async () => {
  const sound = caseOf('transcription');
  const form = formOf(sound);
  form.change({ input: { mediaId: '9' } });
  const plan = await planned(sound, form);
  const [row = expect.fail()] = plan.rows;
  const rows = [row, { ...row, id: 'second', request: { file: 'media:2' } }];
  await open(form, sound.input, { ...plan, rows });
  expect(form.state.getState().values.input).toEqual({ mediaId: '9' });
  expect(
    getInputState('transcription', form.state.getState().values, sound.input, { ...plan, rows }),
  ).toBe('foreign');
});

it.each<[string, OperationName, JsonObject, JsonObject]>([
  [
    'fields without a control',
    'video',
    { camera: { pan: 1 }, mood: 'calm' },
    { camera: { pan: 1 }, mood: 'calm' },
  ],
  // Tools belong to the conversation, not to its comparison.
  ['no tools', 'chat', { tools: [{ type: 'function' }], tool_choice: 'auto' }, {}],
])('restores %s as extra body fields', async (_what, operation, more, extraBody) => {
  const one = caseOf(operation, { variants: [{}] });
  const form = formOf(one);
  const plan = await planned(one, form);
  const [variant = expect.fail()] = plan.variants;
  form.change({}, { unset: [joinFieldName('variants', variant.id)] });
  const changed = { ...variant, request: { ...variant.request, ...more } };
  await open(form, one.input, { ...plan, variants: [changed] });
  const [again] = (await planned(one, form)).variants;
  expect(again).toEqual({ ...variant, extraBody, differences: expect.any(Array) });
});
