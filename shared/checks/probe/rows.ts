/** Lists the rows of a probe, and the requests that an operation's rows share. */
import { getJsonKey, type JsonObject } from '../../json.ts';
import { findUnsentFields } from '../../operations/formats.ts';
import type { OperationName } from '../../operations/operation-name.ts';
import type { ChatFormat } from '../check.ts';
import { chatRows } from './chat-rows.ts';
import type { ProbeContext, ProbeRow } from './judge-row.ts';
import { mediaRows } from './media-rows.ts';

export const probeRows: readonly ProbeRow[] = [
  ...mediaRows.filter(({ operation }) => operation === 'console'),
  ...chatRows,
  ...mediaRows.filter(({ operation }) => operation !== 'console'),
];

/** Lists the rows whose fields the format sends. */
export function listProbeRows(
  operation: OperationName,
  format: ChatFormat,
  includesExpensive: boolean,
): ProbeRow[] {
  return probeRows.filter((row) => {
    if (row.operation !== operation || (row.asksBefore === true && !includesExpensive))
      return false;
    if (operation !== 'chat') return true;
    const { fields } = findUnsentFields('chat', { format });
    return (
      (row.formats?.includes(format) ?? true) && !row.fields.some((field) => fields.has(field))
    );
  });
}

/** A request that one or several rows need. */
export interface SharedRequest {
  id: string;
  request: JsonObject;
  extraBody: JsonObject;
  /** The rows that need it, each with the name that it has there. */
  uses: { rowId: string; name: string }[];
}

/**
 * Lists the requests of rows. Rows share equal requests; equal requests of one row are all sent.
 * IDs stay the same for the same rows.
 */
export function listProbeRequests(
  rows: readonly ProbeRow[],
  context: ProbeContext,
): SharedRequest[] {
  const known = new Map<string, SharedRequest>();
  for (const row of rows) {
    const times = new Map<string, number>();
    for (const [name, { request, extraBody = {} }] of Object.entries(row.requests(context))) {
      const sent = getJsonKey([request, extraBody]);
      const time = times.get(sent) ?? 0;
      times.set(sent, time + 1);
      const key = `${time} ${sent}`;
      const shared = known.get(key) ?? { id: `${row.id}.${name}`, request, extraBody, uses: [] };
      shared.uses.push({ rowId: row.id, name });
      known.set(key, shared);
    }
  }
  return [...known.values()];
}
