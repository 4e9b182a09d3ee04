import type { Connection } from '../../../shared/connection.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { PastedText } from '../../../shared/pasted/read-pasted.ts';
import {
  listUnsentHeaders,
  type PastedInput,
  toRunInput,
} from '../../../shared/pasted/to-run-input.ts';
import { orpc } from '../../lib/api.ts';
import {
  type ConnectionStart,
  connectPasted,
  getSelected,
  selectConnection,
} from '../../lib/connections.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { queryClient } from '../../lib/query-client.ts';
import type { Form } from '../form/form.ts';
import { panelForms } from '../form/panel-forms.ts';
import { forgetPasted, type PastedNotice, showPastedNotice } from '../form/pasted-notice.ts';
import { openInput } from '../form/reopen.ts';
import { showRequestAs } from '../form/request-views.ts';
import { openConversation } from './open-conversation.ts';
import { storeMedia } from './store-media.ts';

/** Fills the panel that the request is for, and shows it. Rejects if a file can't be stored. */
export async function openPasted(pasted: PastedText): Promise<void> {
  const connections = await queryClient.ensureQueryData(orpc.connections.list.queryOptions());
  const settings = await queryClient.ensureQueryData(orpc.settings.get.queryOptions());
  const known = findConnection(pasted.request.url, connections);
  const input = toRunInput(pasted, known?.baseUrl ?? null);
  const request = await storeMedia(input.operation, input.request);
  if (known !== null) await selectConnection(known.id);
  const used = known ?? getSelected(connections, settings.selectedConnectionId);
  const opened = await openPanel({ ...input, request }, used);
  const { body } = pasted.request;
  // Only the form has a control for each file.
  if (body.kind === 'form' && body.files.length > 0) showRequestAs(input.operation, 'form');
  const message = [
    describePasted(input.title, known === null ? null : pasted.request.url),
    describeRemoved(pasted.removed),
    ...input.notes,
    ...opened.notes,
  ];
  const action = createAction(pasted, known, input, opened.form);
  showPastedNotice(opened.form, {
    message: message.filter(Boolean).join(' '),
    unknownOrigin: known === null ? getOrigin(pasted.request.url) : null,
    action,
  });
}

/** Names the host unless the banner says that it isn’t a connection. */
function describePasted(title: string, url: string | null): string {
  const host = url === null ? '' : (URL.parse(url)?.host ?? '');
  return host === '' ? `Pasted ${title}.` : `Pasted ${title} for ${host}.`;
}

/** Returns null for a path without a host. */
function getOrigin(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.origin ?? null);
}

async function openPanel(
  input: PastedInput,
  connection: Connection | null,
): Promise<{ form: Form<OperationName>; notes: string[] }> {
  if (input.operation === 'chat') return openConversation(input, connection);
  await openInput(input.operation, {
    ...input,
    runId: null,
    connectionId: connection?.id ?? null,
    model: getModel(input),
    message: `Pasted into ${getPanelLabel(input.operation)}`,
    notice: null,
  });
  return { form: panelForms[input.operation], notes: [] };
}

/** Prefers the closest path if several connections have the request's origin. */
function findConnection(url: string | null, connections: readonly Connection[]): Connection | null {
  const asked = url === null ? null : URL.parse(url);
  if (asked === null) return null;
  const getPath = (base: string) =>
    (URL.parse(base)?.pathname ?? '').replace(/(?<!\/)\/+$/, '').replace(/\/v1(?:beta)?$/, '');
  const [closest] = connections
    .filter(({ baseUrl }) => URL.parse(baseUrl)?.origin === asked.origin)
    .filter(({ baseUrl }) => asked.pathname.startsWith(`${getPath(baseUrl)}/`))
    .toSorted((one, other) => getPath(other.baseUrl).length - getPath(one.baseUrl).length);
  return closest ?? null;
}

function describeRemoved(removed: readonly string[]): string {
  const list = new Intl.ListFormat('en-US').format(removed);
  const were = removed.length === 1 ? 'was' : 'were';
  return removed.length === 0
    ? ''
    : `${list.slice(0, 1).toUpperCase()}${list.slice(1)} ${were} left out.`;
}

function createAction(
  { key, request }: PastedText,
  known: Connection | null,
  input: PastedInput,
  form: Form<OperationName>,
): PastedNotice['action'] {
  const { url, headers } = request;
  const hasOrigin = url !== null && URL.parse(url)?.host !== undefined;
  if (!hasOrigin || (known !== null && (key === null || known.kind !== 'custom'))) return null;
  const unsent = new Set(listUnsentHeaders(headers));
  const model = getModel(input);
  const start: ConnectionStart = {
    url,
    key,
    headers: headers.filter(([name]) => unsent.has(name)),
    onSaved: (connectionId) => {
      forgetPasted(form);
      form.change({
        ...(form.choosesConnection === 'of both' && { connectionId }),
        ...(model !== '' && { models: { [connectionId]: model } }),
      });
    },
  };
  const label = known === null ? 'Add as connection…' : 'Use as key…';
  return { label, run: () => connectPasted(known?.id ?? null, start) };
}

function getModel({ request: { model } }: PastedInput): string {
  return typeof model === 'string' ? model : '';
}
