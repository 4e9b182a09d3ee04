import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type {
  FieldDescription,
  OperationDescription,
} from '../../../shared/operations/form/description.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { Draft } from './check-draft.ts';
import { readTyped } from './typed-value.ts';

interface DraftsState {
  drafts: Partial<Record<OperationName, Draft>>;
  /** The model chosen for a connection and operation, by `modelKey`. */
  models: Record<string, string>;
  setParameter: (operation: OperationDescription, name: string, value: JsonValue) => void;
  /** What was typed into a text control; an emptied one is not set any more. */
  typeParameter: (operation: OperationDescription, field: FieldDescription, text: string) => void;
  unsetParameter: (operation: OperationDescription, name: string) => void;
  /** Back to what a new draft has set; the extra body fields stay. */
  resetParameters: (operation: OperationDescription) => void;
  setExtraBody: (operation: OperationDescription, text: string) => void;
  /** As a recorded request has them: its fields that have a control, and no other. */
  restoreDraft: (
    operation: OperationDescription,
    request: JsonObject,
    extraBody: JsonObject,
  ) => void;
  chooseModel: (connectionId: string, operation: OperationName, model: string) => void;
}

type Drafts = DraftsState['drafts'];

/** Parameters and models as the user left them. Never holds a key. */
export const useDrafts = create<DraftsState>()(
  persist(
    (set) => {
      function change(operation: OperationDescription, to: (draft: Draft) => Draft): void {
        set(({ drafts }) => ({
          drafts: { ...drafts, [operation.name]: to(draftOf(drafts, operation)) },
        }));
      }
      return {
        drafts: {},
        models: {},
        setParameter: (operation, name, value) =>
          change(operation, (draft) => withValue(without(draft, name), name, value)),
        typeParameter: (operation, field, text) =>
          change(operation, (draft) => withTyped(without(draft, field.name), field, text)),
        unsetParameter: (operation, name) => change(operation, (draft) => without(draft, name)),
        resetParameters: (operation) =>
          change(operation, ({ extraBody }) => ({ ...firstDraft(operation), extraBody })),
        setExtraBody: (operation, extraBody) =>
          change(operation, (draft) => ({ ...draft, extraBody })),
        restoreDraft: (operation, request, extraBody) =>
          change(operation, () => ({
            parameters: Object.fromEntries(
              Object.entries(request).filter(([name]) =>
                operation.fields.some((field) => field.name === name),
              ),
            ),
            typed: {},
            extraBody:
              Object.keys(extraBody).length === 0 ? '' : JSON.stringify(extraBody, null, 2),
          })),
        chooseModel: (connectionId, operation, model) =>
          set(({ models }) => ({
            models: { ...models, [modelKey(connectionId, operation)]: model },
          })),
      };
    },
    {
      name: 'gatehouse:drafts',
      partialize: ({ drafts, models }) => ({ drafts, models }),
    },
  ),
);

export function modelKey(connectionId: string, operation: OperationName): string {
  return `${connectionId} ${operation}`;
}

/** The stored draft, or the one a new user starts with. */
export function draftOf(drafts: Drafts, operation: OperationDescription): Draft {
  return drafts[operation.name] ?? firstDraft(operation);
}

function firstDraft(operation: OperationDescription): Draft {
  return { parameters: operation.draft, typed: {}, extraBody: '' };
}

function without(draft: Draft, name: string): Draft {
  const { [name]: _value, ...parameters } = draft.parameters;
  const { [name]: _text, ...typed } = draft.typed;
  return { ...draft, parameters, typed };
}

function withValue(draft: Draft, name: string, value: JsonValue): Draft {
  return { ...draft, parameters: { ...draft.parameters, [name]: value } };
}

function withTyped(draft: Draft, field: FieldDescription, text: string): Draft {
  if (!keepsText.has(field.control)) {
    return text === '' ? draft : withValue(draft, field.name, text);
  }
  if (text === '' && field.control !== 'json') return draft;
  const typed = { ...draft, typed: { ...draft.typed, [field.name]: text } };
  const read = readTyped(field, text);
  return read.ok ? withValue(typed, field.name, read.value) : typed;
}

/** Controls whose text says more than its value: how far a number is typed, how JSON is laid out. */
const keepsText = new Set<FieldDescription['control']>(['slider', 'number', 'lines', 'json']);
