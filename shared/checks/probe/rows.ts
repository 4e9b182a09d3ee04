/** Lists the rows of a probe, and the requests that an operation's rows share. */
import { getJsonKey, type JsonObject } from '../../json.ts';
import { findUnsentFields } from '../../operations/formats.ts';
import type { OperationName } from '../../operations/operation-name.ts';
import type { ChatFormat } from '../check.ts';
import { chatGroups } from './chat-rows.ts';
import { PLAIN, type ProbeRow } from './judge-row.ts';
import { listGroup, mediaGroups } from './media-rows.ts';

export const probeRows = [listGroup, ...chatGroups, ...mediaGroups].flatMap(
  ({ group, operation, plain, rows }): ProbeRow[] =>
    Object.entries(rows).map(([id, { fields, requests = {}, ...row }]) => {
      const asked = typeof requests === 'function' ? {} : (requests.asked ?? {});
      return {
        ...row,
        id,
        group,
        operation,
        fields: fields ?? Object.keys(asked).filter((field) => !(field in (plain ?? {}))),
        requests: (format) => ({
          ...(plain && { [PLAIN]: plain }),
          ...(typeof requests === 'function' ? requests(format) : requests),
        }),
      };
    }),
);

/** Lists the rows whose fields the format sends. */
export function listProbeRows(operation: OperationName, format: ChatFormat): ProbeRow[] {
  const unsent = operation === 'chat' ? findUnsentFields('chat', { format }).fields : new Set('');
  return probeRows.filter(
    (row) =>
      row.operation === operation &&
      (row.formats?.includes(format) ?? true) &&
      !row.fields.some((field) => unsent.has(field)),
  );
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
export function listProbeRequests(rows: readonly ProbeRow[], format: ChatFormat): SharedRequest[] {
  const known = new Map<string, SharedRequest>();
  for (const row of rows) {
    const times = new Map<string, number>();
    for (const [name, request] of Object.entries(row.requests(format))) {
      const extraBody = name === PLAIN ? {} : (row.extraBody ?? {});
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
