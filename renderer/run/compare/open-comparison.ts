/** Opens a recorded comparison in its panel. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { Comparison } from '../../../shared/comparison.ts';
import type { FormValues } from '../../../shared/form.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api } from '../../lib/api.ts';
import { navigate } from '../../lib/route.ts';
import type { Form } from '../form/form.ts';
import { getConversationForm, panelForms } from '../form/panel-forms.ts';
import type { ComparedInput } from './compared-input.ts';
import { loadComparison } from './load-comparison.ts';

type AnyForm = Form<OperationName>;

interface Opened {
  comparison: Comparison;
  before: FormValues<OperationName>;
}

/** Keyed by form ID; a panel takes its entry on mount, because only the panel knows its input. */
const useOpened = create<Readonly<Record<string, Opened | undefined>>>(() => ({}));

/** Loads the comparison's input and variants into its panel, and offers Undo. */
export async function openComparison(id: string): Promise<void> {
  const { comparison } = await api.comparisons.get({ id });
  const { operation, conversationId } = comparison;
  const form: AnyForm =
    conversationId === null ? panelForms[operation] : getConversationForm(conversationId);
  // Reload the form first, or older saved values would overwrite the comparison's.
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
