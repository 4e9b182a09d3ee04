/** Remembers which view each panel uses for its request. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Form } from './form.ts';

export type RequestView = 'form' | 'json' | 'code';

const requestViews = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
  { value: 'code', label: 'Code' },
] as const satisfies readonly { value: RequestView; label: string }[];

/** Omits JSON for the Console, whose form already holds the body exactly as sent. */
export function getRequestViews(operation: OperationName) {
  return requestViews.filter(({ value }) => operation !== 'console' || value !== 'json');
}

type Views = Partial<Record<OperationName, RequestView>>;

const useViews = create<{ views: Views }>()(
  persist((): { views: Views } => ({ views: {} }), { name: 'gatehouse:request-views' }),
);

export function useRequestView(operation: OperationName): RequestView {
  return useViews(({ views }) => views[operation] ?? 'form');
}

export function showRequestAs(operation: OperationName, view: RequestView): void {
  useViews.setState(({ views }) => ({ views: { ...views, [operation]: view } }));
}

export function showNextView(operation: OperationName): void {
  const current = useViews.getState().views[operation] ?? 'form';
  const views = getRequestViews(operation);
  const at = views.findIndex(({ value }) => value === current);
  const next = views[(at + 1) % views.length];
  if (next !== undefined) showRequestAs(operation, next.value);
}

/** JSON that can't be read yet, by form; it is kept when another view is shown. */
const useUnfinished = create<{ texts: Readonly<Record<string, string>> }>(() => ({ texts: {} }));

export function useUnfinishedText(formId: string): string | null {
  return useUnfinished(({ texts }) => texts[formId] ?? null);
}

export const UNFINISHED = 'Fix the JSON first.';

/** Returns true if the JSON view is shown with invalid JSON; other views show valid requests. */
export function useIsUnfinished(form: Pick<Form<OperationName>, 'id' | 'operation'> | undefined) {
  const hasText = useUnfinished(({ texts }) => form !== undefined && form.id in texts);
  const isShown = useViews(({ views }) => form !== undefined && views[form.operation] === 'json');
  return hasText && isShown;
}

/** A null `text` means that the JSON is finished. */
export function keepUnfinishedText(formId: string, text: string | null): void {
  const { [formId]: _, ...others } = useUnfinished.getState().texts;
  useUnfinished.setState({ texts: text === null ? others : { ...others, [formId]: text } });
}
