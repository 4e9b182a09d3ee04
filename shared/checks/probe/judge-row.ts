/** Defines the rows of a probe, and decides what is the same for every row before its rule. */
import type { JsonObject } from '../../json.ts';
import type { OperationName } from '../../operations/operation-name.ts';
import { isFinished } from '../../run.ts';
import type { RunView } from '../../run-view.ts';
import { shortenNote } from '../asked.ts';
import type { ChatFormat, Verdict } from '../check.ts';

/** Change it with the rows or rules, so that verdicts of different rules aren't compared. */
export const PROBE_RULES_VERSION = 1;

export interface ProbeAnswer {
  request: JsonObject;
  /** Null if the request wasn't sent yet, or its run was deleted. */
  view: RunView | null;
  /** The vectors of an embeddings run, in the order of its inputs; undefined for other runs. */
  vectors?: readonly (readonly number[])[];
  /** A hash of the file of a speech run; undefined for other runs. */
  fileHash?: string;
}

export type Answers = Readonly<Record<string, ProbeAnswer>>;

export interface Judgment {
  verdict: Verdict;
  sentence: string;
  /** How likely the responses are by chance, from 0 to 1; null if chance can't explain them. */
  chance: number | null;
  /** The request's name and the field of its response. */
  evidence: { request: string; field: string } | null;
}

export interface Rule {
  /** Says when the field counts as ignored, for docs/check.md. */
  counterexample: string;
  /** Pure; it is called only if every request of the row succeeded. */
  judge: (answers: Answers) => Judgment;
}

export type Requests = Readonly<Record<string, JsonObject>>;

/** A row as the tables have it; rows.ts adds what is left out. */
export interface RowData extends Rule {
  label: string;
  /** Undefined for every chat format that sends all of `fields`. */
  formats?: readonly ChatFormat[];
  /** The form fields that show the verdict; by default, those that only the request `asked` has. */
  fields?: readonly string[];
  /** Sent with every request but `plain`, beside the fields of its form. */
  extraBody?: JsonObject;
  /** By name. The plan adds the model, the chat format and the recording to transcribe. */
  requests?: Requests | ((format: ChatFormat) => Requests);
}

export interface RowGroup {
  group: string;
  operation: OperationName;
  /** The request without any field, which every row needs; undefined if none does. */
  plain?: JsonObject;
  /** By ID. */
  rows: Readonly<Record<string, RowData>>;
}

export interface ProbeRow extends RowData, Omit<RowGroup, 'plain' | 'rows'> {
  id: string;
  fields: readonly string[];
  requests: (format: ChatFormat) => Requests;
}

/** The name of the request without the field. */
export const PLAIN = 'plain';
/** The name of a request with another value of the field, which may be rejected for its value. */
export const OTHER = 'other';

/** Agreement that is more likely by chance than this doesn't count. */
export const MAX_CHANCE = 0.05;

/** These say nothing about the field: the key, the quota, the model, a time-out or the rate. */
const OTHER_REASONS = new Set([401, 402, 403, 404, 407, 408, 409, 423, 425, 429]);

/** Returns true for a 4xx about the request itself. */
function isRejected({ view }: ProbeAnswer): boolean {
  const status = view?.httpStatus ?? 0;
  return view?.status === 'failed' && status >= 400 && status < 500 && !OTHER_REASONS.has(status);
}

/**
 * Returns the verdict of a row. A 4xx is “rejected”, unless it names another field, or a request
 * without the field fails too. A missing run, a network error, a time-out, a 429 or a 5xx is
 * “unclear”. Only then the row's own rule decides. Pure; never throws.
 */
export function judgeRow(
  { fields, judge }: Pick<ProbeRow, 'fields' | 'judge'>,
  answers: Answers,
): Judgment {
  const entries = Object.entries(answers);
  const own = fields.map((field) => field.replace(/\..*/, ''));
  const hasField = ({ request }: ProbeAnswer) =>
    own.length === 0 || own.some((field) => field in request);
  const asked = entries.filter(([name, answer]) => name !== PLAIN && hasField(answer));
  const rejected = asked.find(([name, answer]) => name !== OTHER && isRejected(answer));
  if (rejected !== undefined) {
    const [name, { request, view }] = rejected;
    const reason = view?.error?.gateway?.message ?? view?.error?.message ?? '';
    const without = entries.filter((entry) => !asked.includes(entry));
    if (without.some(([, answer]) => isRejected(answer))) {
      return cannotTell('The request is rejected without the field too.', name, 'error');
    }
    if (without.some(([, answer]) => answer.view?.status !== 'succeeded')) {
      return cannotTell('The request without the field has no response.', name, 'error');
    }
    const named = `${view?.error?.gateway?.param} ${reason}`;
    if (without.length === 0 && own.length > 0 && !own.some((field) => isNamed(field, named))) {
      return cannotTell(`Perhaps rejected for another reason: ${shorten(reason)}`, name, 'error');
    }
    const other = findOtherField(request, fields, named);
    if (other !== null) {
      return cannotTell(`Rejected for another field of the request, ${other}.`, name, 'error');
    }
    const sentence = `Rejected with ${view?.httpStatus}: ${shorten(reason)}`;
    return { ...cannotTell(sentence, name, 'error'), verdict: 'rejected' };
  }
  const failed = entries.find(([, { view }]) => view?.status !== 'succeeded');
  if (failed === undefined) return judge(answers);
  const [name, { view }] = failed;
  if (view === null || !isFinished(view.status)) {
    return cannotTell('A request has no response yet, or its run was deleted.');
  }
  const { httpStatus, error } = view;
  const status = httpStatus === null || httpStatus < 400 ? '' : `${httpStatus}, `;
  const reason = error?.gateway?.message ?? error?.message ?? 'no response.';
  const note = `A request failed: ${status}${shorten(reason)}`;
  return cannotTell(note, name, 'error');
}

function shorten(reason: string): string {
  return shortenNote(reason, MAX_REASON_LENGTH);
}

function isNamed(field: string, reason: string): boolean {
  return new RegExp(`\\b${field}\\b`).test(reason);
}

/** Words in messages about any field, and fields without which others can't be sent. */
const EXPECTED_WORDS = new Set([
  ...['model', 'messages', 'input', 'file', 'prompt', 'query'],
  ...['tools', 'logprobs', 'stream', 'response_format'],
]);

/** Returns a field that the reason names, unless it also names a field of the row. */
function findOtherField(
  request: JsonObject,
  fields: readonly string[],
  reason: string,
): string | null {
  const own = fields.flatMap((field) => field.split('.'));
  if (own.length === 0 || own.some((field) => isNamed(field, reason))) return null;
  const others = Object.keys(request).filter((field) => !EXPECTED_WORDS.has(field));
  return others.find((field) => !own.includes(field) && isNamed(field, reason)) ?? null;
}

const MAX_REASON_LENGTH = 200;

function decide(verdict: Verdict, note: string, evidence: Judgment['evidence']): Judgment {
  return { verdict, sentence: shortenNote(note), chance: null, evidence };
}

/** `chance` is how likely the agreement is if the field is ignored. */
export function agree(note: string, request: string, field: string, chance = 0): Judgment {
  const verdict = chance <= MAX_CHANCE ? 'honored' : 'unclear';
  return { ...decide(verdict, note, { request, field }), chance: chance === 0 ? null : chance };
}

export function contradict(note: string, request: string, field: string): Judgment {
  return decide('ignored', note, { request, field });
}

export function cannotTell(note: string, request?: string, field = ''): Judgment {
  return decide('unclear', note, request === undefined ? null : { request, field });
}
