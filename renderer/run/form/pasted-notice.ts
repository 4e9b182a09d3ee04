import { create } from 'zustand';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { orpc } from '../../lib/api.ts';
import { getSelected } from '../../lib/connections.ts';
import { queryClient } from '../../lib/query-client.ts';
import type { Form } from './form.ts';

export interface PastedNotice {
  message: string;
  /** The origin of the request's URL if no connection had it; null otherwise. */
  unknownOrigin: string | null;
  /** Saves the request's connection or key; null if there is nothing to save. */
  action: { label: string; run: () => void } | null;
}

interface ShownNotice extends PastedNotice {
  /** False once the user has dismissed the banner, which doesn't answer the question. */
  isShown: boolean;
  /** True if Run still has to ask whether another gateway may get the request. */
  asks: boolean;
}

interface PastedNotices {
  /** Describes the request that was opened in a form, by the form's ID. */
  notices: Readonly<Record<string, ShownNotice>>;
  question: { formId: string; answer: (sends: boolean) => void } | null;
}

/** Kept in memory only, because `action` may have a key. */
export const usePastedNotices = create<PastedNotices>(() => ({ notices: {}, question: null }));

export function showPastedNotice({ id }: Form<OperationName>, notice: PastedNotice): void {
  const shown = { ...notice, isShown: true, asks: notice.unknownOrigin !== null };
  usePastedNotices.setState(({ notices }) => ({ notices: { ...notices, [id]: shown } }));
}

export function dismissPastedNotice({ id }: Form<OperationName>): void {
  changeNotice(id, { isShown: false });
}

/** Forgets the request, because the form has another or its gateway is now a connection. */
export function forgetPasted({ id }: Form<OperationName>): void {
  usePastedNotices.setState(({ notices: { [id]: _, ...notices } }) => ({ notices }));
}

/**
 * Forgets the request that an opened input replaces. Returns a function that undoes that, or null if
 * there was none.
 */
export function replacePasted(form: Form<OperationName>): (() => void) | null {
  const replaced = usePastedNotices.getState().notices[form.id];
  forgetPasted(form);
  if (replaced === undefined) return null;
  return () =>
    usePastedNotices.setState(({ notices }) => ({ notices: { ...notices, [form.id]: replaced } }));
}

/**
 * Asks once whether a pasted request may go to another gateway than the one in its URL. Returns null
 * if there is nothing to ask, so that the caller starts at once.
 */
export function askForGateway(form: Form<OperationName>): Promise<boolean> | null {
  const { notices, question } = usePastedNotices.getState();
  const notice = notices[form.id];
  if (notice === undefined || !notice.asks || isUsed(form, notice.unknownOrigin)) return null;
  question?.answer(false);
  return new Promise((resolve) => {
    const answer = (sends: boolean) => {
      usePastedNotices.setState({ question: null });
      if (sends) changeNotice(form.id, { asks: false });
      resolve(sends);
    };
    usePastedNotices.setState({ question: { formId: form.id, answer } });
  });
}

/** Returns true if the form sends to a connection that was added since. */
function isUsed(form: Form<OperationName>, origin: string | null): boolean {
  const connections = queryClient.getQueryData(orpc.connections.list.queryKey()) ?? [];
  const settings = queryClient.getQueryData(orpc.settings.get.queryKey());
  const { connectionId } = form.state.getState().values;
  const used = getSelected(connections, connectionId ?? settings?.selectedConnectionId ?? null);
  return used !== null && URL.parse(used.baseUrl)?.origin === origin;
}

function changeNotice(id: string, change: Partial<ShownNotice>): void {
  usePastedNotices.setState(({ notices }) => {
    const notice = notices[id];
    return notice === undefined ? {} : { notices: { ...notices, [id]: { ...notice, ...change } } };
  });
}
