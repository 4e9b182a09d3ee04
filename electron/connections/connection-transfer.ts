/** Exports connections without their secrets, and reads exported files from anywhere. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  CONNECTION_FILE_FORMAT,
  CONNECTION_FILE_VERSION,
  type ConnectionFile,
  connectionFileSchema,
  type ExportedConnection,
  MAX_CONNECTION_FILE_LENGTH,
} from '../../shared/connection-file.ts';
import { type AddedValue, defaultConnectionOptions } from '../../shared/connection-options.ts';
import { appError, type FieldError, UserFacingError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/json.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { readCaCertificates } from '../gateway/certificates.ts';
import type { StoredConnection, StoredConnectionFields } from './connection-store.ts';

export function exportConnections(rows: readonly StoredConnection[]): ConnectionFile {
  return {
    format: CONNECTION_FILE_FORMAT,
    version: CONNECTION_FILE_VERSION,
    connections: rows.map(exportConnection),
  };
}

function exportConnection({ name, baseUrl, options, caText }: StoredConnection) {
  const { keyHeader, headers, query, timeouts, proxy, endpoints } = options;
  const { kind } = proxy;
  return {
    name,
    baseUrl,
    keyHeader,
    timeouts,
    endpoints,
    headers: headers.map(exportValue),
    query: query.map(exportValue),
    caCertificate: caText,
    proxy: kind === 'url' ? { kind, url: proxy.url } : { kind },
  } satisfies ExportedConnection;
}

/** Omits variables, because an import that names one is refused. */
function exportValue({ name, isSecret, value, variables }: AddedValue) {
  return { name, isSecret, value: variables.length > 0 ? null : value };
}

/** Parses the file; throws a `UserFacingError` with a field for each problem. */
export function readConnectionFile(
  text: string,
  taken: Iterable<string>,
): StoredConnectionFields[] {
  if (text.length > MAX_CONNECTION_FILE_LENGTH) throw refuse('The file is too large.');
  const json = parseJson(text);
  if (!isJsonObject(json) || json.format !== CONNECTION_FILE_FORMAT) throw refuse(NOT_A_FILE);
  if (json.version !== CONNECTION_FILE_VERSION) throw refuse(OTHER_VERSION);
  const { success, data, error } = connectionFileSchema.safeParse(json);
  if (!success) throw createEntryError(error.issues.map(toField));
  const names = new Set(taken);
  const fields: FieldError[] = [];
  const read = data.connections.map((entry, index) => {
    const place = ['connections', String(index)];
    return {
      name: takeFreeName(entry.name, names),
      baseUrl: entry.baseUrl,
      keyKept: null,
      secretsKept: null,
      caText: entry.caCertificate,
      options: {
        ...defaultConnectionOptions,
        keyHeader: entry.keyHeader,
        timeouts: entry.timeouts,
        endpoints: entry.endpoints,
        headers: entry.headers.map(importValue),
        query: entry.query.map(importValue),
        caCertificates: readCa(entry, place, fields),
        proxy: entry.proxy.kind === 'url' ? { ...entry.proxy, hasLogin: false } : entry.proxy,
      },
    };
  });
  if (fields.length > 0) throw createEntryError(fields);
  return read;
}

/** A value that wasn't exported must be entered before the connection can be used. */
function importValue({ name, isSecret, value }: ExportedConnection['headers'][number]): AddedValue {
  const isMissing = value === null;
  const shown = isSecret ? null : value;
  return { id: randomUUID(), name, isSecret: isSecret || isMissing, value: shown, variables: [] };
}

function readCa({ caCertificate }: ExportedConnection, place: string[], fields: FieldError[]) {
  if (caCertificate === null) return [];
  try {
    return readCaCertificates(caCertificate);
  } catch (cause) {
    if (!(cause instanceof UserFacingError)) throw cause;
    fields.push({ path: [...place, 'caCertificate'], message: cause.error.message });
    return [];
  }
}

/** Appends a number if another connection has the name, such as `Mine 2`. */
function takeFreeName(name: string, names: Set<string>): string {
  let free = name;
  for (let number = 2; names.has(free); number += 1) {
    const end = ` ${number}`;
    free = `${name.slice(0, MAX_NAME - end.length).trimEnd()}${end}`;
  }
  names.add(free);
  return free;
}

const MAX_NAME = 60;

function toField({ path, ...issue }: z.core.$ZodIssue): FieldError {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const [name] = unknown;
  const message = name === undefined ? describeIssue(issue) : describeUnknown(name);
  return { path: [...path.map(String), ...unknown.slice(0, 1)], message };
}

/** Describes the expected type in words, because the user may have edited the file. */
function describeIssue(issue: Omit<z.core.$ZodIssue, 'path'>): string {
  if (issue.code !== 'invalid_type' || !('expected' in issue)) return issue.message;
  return `Expected ${typeWords.get(String(issue.expected)) ?? String(issue.expected)}.`;
}

const typeWords = new Map([
  ['array', 'a list'],
  ['object', 'an object'],
  ['string', 'text'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
]);

function describeUnknown(name: string): string {
  return /key|token|secret|password/i.test(name)
    ? `Unknown field “${name.slice(0, 40)}”. Keys can’t be imported.`
    : `Unknown field “${name.slice(0, 40)}”.`;
}

const MAX_FIELDS = 100;

function createEntryError(fields: readonly FieldError[]): UserFacingError {
  const [first] = fields;
  const [list, index, ...rest] = first?.path ?? [];
  const isEntry = list === 'connections' && index !== undefined;
  const place = isEntry ? `Connection ${Number(index) + 1}` : (list ?? 'The file');
  const field = rest.length > 0 ? `, ${rest.join('.')}` : '';
  const message = `${place}${field}: ${first?.message ?? 'Not valid.'}`;
  const nextStep = 'Nothing was imported. Fix the file and try again.';
  return new UserFacingError(
    appError('invalid-request', message, nextStep, { fields: fields.slice(0, MAX_FIELDS) }),
  );
}

const NOT_A_FILE = 'This file doesn’t have Gatehouse connections.';
const OTHER_VERSION = 'This file is from another version of Gatehouse.';

function refuse(message: string): UserFacingError {
  return new UserFacingError(
    appError('invalid-request', message, 'Choose a JSON file that Gatehouse exported.', {
      fields: [{ path: ['text'], message }],
    }),
  );
}
