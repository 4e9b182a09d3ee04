/** Reads and writes the main text of a panel's form, for prompts that work in every panel. */
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { changeWithUndo } from './change-with-undo.ts';
import type { Form } from './form.ts';

const textFields: Partial<Record<OperationName, string>> = {
  chat: 'text',
  completion: 'prompt',
  image: 'prompt',
  video: 'prompt',
  rerank: 'query',
  speech: 'text',
};

type AnyForm = Form<OperationName>;

export function hasPanelText({ operation }: AnyForm): boolean {
  return textFields[operation] !== undefined;
}

export function getPanelText(form: AnyForm): string {
  const field = textFields[form.operation];
  const input: Readonly<Record<string, unknown>> = form.state.getState().values.input;
  const text = field === undefined ? undefined : input[field];
  return typeof text === 'string' ? text : '';
}

interface TextChange {
  message: string;
  /** The other rows of a comparison. */
  morePrompts?: string;
}

/** Offers Undo if the panel had another text. */
export function changePanelText(
  form: AnyForm,
  text: string,
  { message, ...rows }: TextChange,
): void {
  const field = textFields[form.operation];
  if (field === undefined) return;
  changeWithUndo(form, () => form.change({ input: { [field]: text }, ...rows }), message);
}
