import { useEffect } from 'react';
import { create } from 'zustand';
import type { Comparison } from '../../../shared/comparison.ts';
import type { FormValues } from '../../../shared/form.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api } from '../../lib/api.ts';
import { importPart } from '../../lib/import-part.ts';
import { navigate } from '../../lib/route.ts';
import type { Form } from '../form/form.ts';
import { conversationForm, panelForms } from '../form/panel-forms.ts';
import type { ComparedInput } from './compared-input.ts';

type AnyForm = Form<OperationName>;

type Bring = typeof import('./opened-variants.ts').loadComparison;

interface Waiting {
  bring: Bring;
  comparison: Comparison;
  /** What the form held until then. */
  before: FormValues<OperationName>;
}

/** By the ID of its form: panels are loaded when shown, and each knows what its variants differ in. */
const useMailbox = create<Readonly<Record<string, Waiting | undefined>>>(() => ({}));

/** Shows the comparison in its panel with its input and variants; Undo restores what the user had there. */
export async function openComparison(id: string): Promise<void> {
  const [{ comparison }, { loadComparison: bring }] = await Promise.all([
    api.comparisons.get({ id }),
    importPart(() => import('./opened-variants.ts')),
  ]);
  const { operation, conversationId } = comparison;
  const form: AnyForm =
    conversationId === null ? panelForms[operation] : conversationForm(conversationId);
  // Otherwise main's older fields would return.
  await form.retry();
  const before = form.state.getState().values;
  form.change({ comparing: true, comparisonId: id });
  useMailbox.setState({ [form.id]: { bring, comparison, before } });
  navigate(operation, conversationId);
}

/** Gives the form the input and the variants of a comparison that is opened in its panel. */
export function useOpenedComparison(form: AnyForm, input: ComparedInput): void {
  const opened = useMailbox((waiting) => waiting[form.id]);
  useEffect(() => {
    if (opened === undefined) return;
    useMailbox.setState({ [form.id]: undefined });
    void opened.bring(form, input, opened.comparison, opened.before);
  }, [form, input, opened]);
}
