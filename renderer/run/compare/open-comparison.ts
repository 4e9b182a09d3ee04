import { useEffect } from 'react';
import { create } from 'zustand';
import type { Comparison } from '../../../shared/comparison.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api } from '../../lib/api.ts';
import { navigate } from '../../lib/route.ts';
import type { Form } from '../form/form.ts';
import { conversationForm, panelForms } from '../form/panel-forms.ts';
import type { ComparedInput } from './compared-input.ts';

type AnyForm = Form<OperationName>;

/** By the ID of its form: panels are loaded when shown, and each knows what its variants differ in. */
const useMailbox = create<Readonly<Record<string, Comparison | undefined>>>(() => ({}));

/** Shows the comparison in its panel with its variants; what the user has written there stays. */
export async function openComparison(id: string): Promise<void> {
  const { comparison } = await api.comparisons.get({ id });
  const { operation, conversationId } = comparison;
  const form: AnyForm =
    conversationId === null ? panelForms[operation] : conversationForm(conversationId);
  // Otherwise main's older fields would return.
  await form.retry();
  form.change({ comparing: true, comparisonId: id });
  useMailbox.setState({ [form.id]: comparison });
  navigate(operation, conversationId);
}

/** Gives the form the variants of a comparison that is opened in its panel. */
export function useOpenedComparison(form: AnyForm, input: ComparedInput): void {
  const comparison = useMailbox((waiting) => waiting[form.id]);
  useEffect(() => {
    if (comparison === undefined) return;
    useMailbox.setState({ [form.id]: undefined });
    void import('./opened-variants.ts').then(({ bringVariants }) =>
      bringVariants(form, input, comparison),
    );
  }, [form, input, comparison]);
}
