/** Repeats what a user did to a form, from a list of steps that a fixture can hold. */
import { comparedChat } from '../../../renderer/features/chat/session/compared-chat.ts';
import { comparedCompletion } from '../../../renderer/features/completion/continuations.ts';
import { comparedImage } from '../../../renderer/features/image/compared-image.ts';
import { comparedRerank } from '../../../renderer/features/rerank/rerank-request.ts';
import { comparedSpeech } from '../../../renderer/features/speech/compared-speech.ts';
import { createTranscriptionInput } from '../../../renderer/features/transcription/transcription-request.ts';
import { comparedVideo } from '../../../renderer/features/video/video-form-values.ts';
import type { ComparedInput } from '../../../renderer/run/compare/compared-input.ts';
import { loadComparison } from '../../../renderer/run/compare/load-comparison.ts';
import { planComparison, settleForm } from '../../../renderer/run/compare/send-comparison.ts';
import { emptyVariant, getVariantForm } from '../../../renderer/run/compare/variant-form.ts';
import { applyVariantToForm, resetToForm } from '../../../renderer/run/compare/variants.ts';
import { createForm, type Form } from '../../../renderer/run/form/form.ts';
import { applyPreset, capturePreset } from '../../../renderer/run/form/parameter-presets.ts';
import {
  clearParameter,
  copySettings,
  resetParameters,
  resetSettings,
  restoreParameters,
  setFormat,
  setParameter,
  typeParameter,
} from '../../../renderer/run/form/parameters.ts';
import { collectInput, editForm, writeShownBody } from '../../../renderer/run/views/form-body.ts';
import { joinFieldName } from '../../../shared/form-fields.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { describeOperation } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';

type AnyForm = Form<OperationName>;

/** The panel's form or one of its variants. */
export type Place = 'panel' | 'v0' | 'v1';

export type Step =
  | ['set', Place, name: string, value: JsonValue, text?: string]
  | ['type', Place, name: string, text: string]
  | ['clear', Place, name: string]
  | ['rename', Place, name: string, wireName: string]
  | ['extra', Place, text: string]
  | ['format', Place, name: string]
  | ['connection', Place, id: string]
  | ['follow', Place, name: string]
  | ['reset', Place]
  | ['resetSettings', Place]
  | ['preset', from: Place, to: Place]
  | ['json', Place, set: JsonObject, unset: string[]]
  | ['adopt', Place]
  | ['copy', Place]
  | ['reopen', Place]
  | ['load', Place];

const inputs: Partial<Record<OperationName, ComparedInput>> = {
  chat: comparedChat,
  completion: comparedCompletion,
  image: comparedImage,
  rerank: comparedRerank,
  speech: comparedSpeech,
  transcription: createTranscriptionInput('Sound'),
  video: comparedVideo,
};

const ownFields: Partial<Record<OperationName, JsonObject>> = {
  completion: { prompt: 'Once', suffix: 'the end' },
  image: { contents: [{ role: 'user', parts: [{ text: 'A hill' }] }] },
  video: { prompt: 'A river' },
  rerank: { query: 'Which?', documents: ['One', 'Two'] },
  speech: { input: 'Hello' },
  transcription: { file: 'media:9f0c2f0a-7a51-4a0e-9d7c-0a1b2c3d4e5f' },
};

/** Performs the steps and returns everything that the form would then send or show. */
export async function runSteps(operation: OperationName, steps: readonly Step[]) {
  const input = inputs[operation] ?? { promptField: null };
  const own = ownFields[operation] ?? {};
  const description = describeOperation(operation);
  let panel: AnyForm = createForm(operation, crypto.randomUUID());
  panel.change({
    variants: { v0: { ...emptyVariant }, v1: { ...emptyVariant, name: 'B', order: 1 } },
  });
  const getForm = (place: Place) => (place === 'panel' ? panel : getVariantForm(panel, place));
  const getTarget = (place: Place) => ({
    form: getForm(place),
    connectionId: 'one',
    model: 'm',
    listedModels: null,
    conversation: null,
  });

  async function run(step: Step): Promise<unknown> {
    const form = getForm(step[1]);
    switch (step[0]) {
      case 'set': {
        const [, , name, value, text] = step;
        return setParameter(form, name, value, text === undefined ? {} : { text });
      }
      case 'type': {
        const [, , name, text] = step;
        const field = description.fields.find((one) => one.name === name);
        return field && typeParameter(form, field, text);
      }
      case 'clear':
        return clearParameter(form, step[2]);
      case 'rename':
        return form.change({ params: { [step[2]]: { as: step[3] } } });
      case 'extra':
        return form.change({ extraBody: step[2] });
      case 'format':
        return setFormat(form, step[2]);
      case 'connection':
        return form.change({ connectionId: step[2] });
      case 'follow':
        return resetToForm(panel, step[1], step[2]);
      case 'reset':
        return resetParameters(form);
      case 'resetSettings':
        return resetSettings(form);
      case 'preset': {
        const settings = capturePreset(getTarget(step[1]), new Set(['model']));
        return applyPreset(getTarget(step[2]), { name: 'Mine', settings });
      }
      case 'json':
        return edit(form, step[2], step[3]);
      case 'adopt': {
        const { variants = [] } = await plan();
        const sent = variants.find(({ id }) => id === step[1]);
        return sent && applyVariantToForm(panel, sent);
      }
      case 'copy': {
        const copy: AnyForm = createForm(operation, crypto.randomUUID());
        copySettings(panel, copy);
        copy.change({ variants: panel.state.getState().values.variants });
        panel = copy;
        return;
      }
      case 'reopen': {
        const settled = await settleForm(form);
        return settled.ok && restoreParameters(panel, description, settled.ready);
      }
      case 'load':
        return load();
    }
  }

  async function load(): Promise<void> {
    const planned = await planComparison(panel, own, input);
    if (!planned.ok) return;
    panel.change({}, { unset: ['v0', 'v1'].map((id) => joinFieldName('variants', id)) });
    const comparison = { ...planned.plan, id: 'c', conversationId: null, createdAt: 0 };
    loadComparison(panel, input, structuredClone(comparison), panel.state.getState().values);
  }

  function getState(form: AnyForm) {
    return { values: form.state.getState().values, model: 'm', own };
  }

  function write(form: AnyForm): JsonObject {
    return writeShownBody(operation, collectInput(description, getState(form)), new Map());
  }

  function edit(form: AnyForm, set: JsonObject, unset: readonly string[]): void {
    const before = write(form);
    const kept = Object.entries(before).filter(([name]) => !unset.includes(name));
    const after = { ...Object.fromEntries(kept), ...set };
    const hold = (request: JsonObject) => ({ ...request, ...own });
    form.change(editForm(description, getState(form), { before, after, hold }).fields);
  }

  /** Sorts the labels, because the order of renamed fields doesn't matter. */
  async function plan() {
    const planned = await planComparison(panel, own, input);
    if (!planned.ok) return { problem: planned.problem.message };
    const variants = planned.plan.variants.map((variant) => ({
      ...variant,
      differences: variant.differences.toSorted(),
    }));
    return { variants };
  }

  for (const step of steps) await run(step);
  return {
    panel: await settleForm(panel),
    ...(await plan()),
    bodies: (['panel', 'v0', 'v1'] as const).map((place) => write(getForm(place))),
  };
}
