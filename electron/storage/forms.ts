/** Stores forms with one row per field, so that a change writes only the changed fields. */
import { appError, UserFacingError } from '../../shared/errors.ts';
import {
  type FormChange,
  type FormContent,
  type FormQuery,
  type FormUpdate,
  formContentSchema,
} from '../../shared/form.ts';
import { getFormConversation, groupFields, listFieldsByName } from '../../shared/form-fields.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { ChangeEmitter, ChangeOrigin } from '../base/changes.ts';
import type { Database } from './database-access.ts';
import { createUnreadableNotice, insertFields } from './rows.ts';

/** Parsing a longer JSON field would block the main process. */
const MAX_LENGTH = 16_000_000;
/** More fields than any panel has, even with a thousand tool call results. */
const MAX_FIELDS = 2000;

interface FormsOptions {
  db: Database;
  now: () => number;
  changes: ChangeEmitter;
}

interface FormRow {
  row: number;
  revision: number;
}

/** `get` and `change` throw a `UserFacingError` if the form belongs to another operation. */
export interface Forms {
  /** Returns the fields changed since revision `after`; a missing form counts as empty. */
  get(query: FormQuery): FormUpdate;
  /**
   * Sets all fields or none and returns the changes since `after`, so that the page at `link` need
   * not read them again; throws a `UserFacingError` if invalid.
   */
  change(change: FormChange, link?: ChangeOrigin): FormUpdate;
  /** Copies the fields that pass `isCopied` to a form that doesn't exist yet. */
  copy(fromId: string, toId: string, isCopied: (name: string) => boolean): void;
  /** Unsets the fields that pass `isGone`; ignores a missing form. */
  drop(id: string, isGone: (name: string) => boolean): void;
  /** Deletes the form; ignores a missing one. */
  remove(id: string): void;
}

export function createForms({ db, now, changes }: FormsOptions): Forms {
  function find(id: string, operation: OperationName): FormRow | null {
    const found = db.sql('SELECT row, operation, revision FROM forms WHERE id = ?').get(id);
    if (!found) return null;
    if (found.operation !== operation) throw new UserFacingError(otherOperation);
    return { row: Number(found.row), revision: Number(found.revision) };
  }

  function read({ id, operation, after }: FormQuery): FormUpdate {
    const form = find(id, operation);
    if (form === null) return { revision: 0, content: { operation, fields: {} }, names: [] };
    // A form that is deleted and recreated starts over at the first revision.
    const since = after === null || after > form.revision ? 0 : after;
    const fields = db
      .sql('SELECT name, value FROM form_fields WHERE form = ? AND revision > ?')
      .all(form.row, since)
      .flatMap(({ name, value }): [string, unknown][] => {
        const parsed = parseJson(String(value));
        if (parsed === undefined) db.warn(createUnreadableNotice('form fields'));
        return parsed === undefined ? [] : [[String(name), parsed]];
      });
    const content = getContent(operation, fields);
    return { revision: form.revision, content, names: getNames(form.row) };
  }

  function getNames(row: number): string[] {
    return db
      .sql('SELECT name FROM form_fields WHERE form = ?')
      .all(row)
      .map(({ name }) => String(name));
  }

  function getContent(operation: OperationName, fields: [string, unknown][]): FormContent {
    const whole = formContentSchema.safeParse({ operation, fields: groupFields(fields) });
    if (whole.success) return whole.data;
    db.warn(createUnreadableNotice('form fields'));
    const readable = fields.filter(
      (field) => formContentSchema.safeParse({ operation, fields: groupFields([field]) }).success,
    );
    return formContentSchema.parse({ operation, fields: groupFields(readable) });
  }

  function write({ id, content, unset }: FormChange): { form: FormRow | null; changed: boolean } {
    const conversation = getFormConversation(id);
    // The page may not yet know that the conversation was deleted.
    if (conversation !== null && !hasConversation(conversation)) throw new UserFacingError(removed);
    const known = find(id, content.operation);
    const fields = listFieldsByName(content.fields);
    if (known === null && fields.length === 0) return { form: null, changed: false };
    const revision = Math.max(now(), (known?.revision ?? 0) + 1);
    const row = known?.row ?? insert(id, content.operation, revision);
    const results = [
      ...fields.map(([name, value]) => set(row, name, value, revision)),
      ...unset.map((name) => unsetField(row, name)),
    ];
    const changed = known === null || results.some(({ changes: rows }) => Number(rows) > 0);
    if (!changed) return { form: known, changed };
    if (getNames(row).length > MAX_FIELDS) throw new UserFacingError(tooMany);
    db.sql('UPDATE forms SET revision = ? WHERE row = ?').run(revision, row);
    return { form: { row, revision }, changed };
  }

  function insert(id: string, operation: string, revision: number): number {
    return Number(insertFields(db, 'forms', { id, operation, revision }).lastInsertRowid);
  }

  function hasConversation(id: string): boolean {
    return db.sql('SELECT 1 FROM shown_conversations WHERE id = ?').get(id) !== undefined;
  }

  function unsetField(row: number, name: string) {
    return db.sql('DELETE FROM form_fields WHERE form = ? AND name = ?').run(row, name);
  }

  function set(row: number, name: string, value: unknown, revision: number) {
    const text = JSON.stringify(value);
    if (text.length > MAX_LENGTH) throw new UserFacingError(tooLong);
    return db
      .sql(`INSERT INTO form_fields (form, name, value, revision) VALUES (?, ?, ?, ?)
        ON CONFLICT (form, name) DO UPDATE SET value = excluded.value, revision = excluded.revision
        WHERE value <> excluded.value`)
      .run(row, name, text, revision);
  }

  return {
    get: read,
    change(change, link) {
      const { id, content, after } = change;
      const others = read({ id, operation: content.operation, after });
      const { form, changed } = db.write(() => write(change));
      if (changed) changes.announceToOthers(link, 'forms', id);
      return {
        ...others,
        ...(form && { revision: form.revision, names: getNames(form.row) }),
      };
    },
    copy(fromId, toId, isCopied) {
      const from = db.sql('SELECT row, operation FROM forms WHERE id = ?').get(fromId);
      if (from === undefined) return;
      const row = Number(from.row);
      const names = getNames(row).filter(isCopied);
      const revision = now();
      db.write(() => {
        db.sql(`INSERT INTO form_fields (form, name, value, revision)
          SELECT ?, name, value, ? FROM form_fields
          WHERE form = ? AND name IN (SELECT value FROM json_each(?))`).run(
          insert(toId, String(from.operation), revision),
          revision,
          row,
          JSON.stringify(names),
        );
      });
      changes.announce('forms', toId);
    },
    drop(id, isGone) {
      const form = db.sql('SELECT row, revision FROM forms WHERE id = ?').get(id);
      if (form === undefined) return;
      const row = Number(form.row);
      const revision = Math.max(now(), Number(form.revision) + 1);
      const gone = getNames(row).filter(isGone);
      if (gone.length === 0) return;
      db.write(() => {
        for (const name of gone) unsetField(row, name);
        db.sql('UPDATE forms SET revision = ? WHERE row = ?').run(revision, row);
      });
      changes.announce('forms', id);
    },
    remove(id) {
      const removed = db.write(() => db.sql('DELETE FROM forms WHERE id = ?').run(id));
      if (Number(removed.changes) > 0) changes.announce('forms', id);
    },
  };
}

const otherOperation = appError(
  'invalid-request',
  'This draft belongs to another panel.',
  'Reload the window.',
);

const removed = appError(
  'not-found',
  'This conversation no longer exists.',
  'Choose another conversation.',
);

const tooLong = appError(
  'invalid-request',
  'This text is too long to save. It will be lost when the window closes.',
  'Shorten it, or attach it as a file.',
);

const tooMany = appError('invalid-request', 'Too many fields to save.', 'Remove some of them.');
