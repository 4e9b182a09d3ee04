/** Shows a recorded comparison in its panel. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { Comparison } from '../../../shared/comparison.ts';
import type { FormValues } from '../../../shared/form.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api } from '../../lib/api.ts';
import { navigate } from '../../lib/route.ts';
import type { Form } from '../form/form.ts';
import { conversationForm, panelForms } from '../form/panel-forms.ts';
import type { ComparedInput } from './compared-input.ts';
import { loadComparison } from './load-comparison.ts';

type AnyForm = Form<OperationName>;

interface Opened {
  comparison: Comparison;
  /** The form's values at that time. */
  before: FormValues<OperationName>;
}

/** By form ID. A panel takes its own when it is shown, because only it knows its `ComparedInput`. */
const useOpened = create<Readonly<Record<string, Opened | undefined>>>(() => ({}));

/** Shows the comparison in its panel with its input and variants, and offers Undo. */
export async function openComparison(id: string): Promise<void> {
  const { comparison } = await api.comparisons.get({ id });
  const { operation, conversationId } = comparison;
  const form: AnyForm =
    conversationId === null ? panelForms[operation] : conversationForm(conversationId);
  // Loads the form again, or older stored values would replace these.
  await form.retry();
  const before = form.state.getState().values;
  form.change({ comparing: true, comparisonId: id });
  useOpened.setState({ [form.id]: { comparison, before } });
  navigate(operation, conversationId);
}

export function useOpenedComparison(form: AnyForm, input: ComparedInput): void {
  const opened = useOpened((all) => all[form.id]);
  useEffect(() => {
    if (opened === undefined) return;
    useOpened.setState({ [form.id]: undefined });
    loadComparison(form, input, opened.comparison, opened.before);
  }, [form, input, opened]);
}
