/** Overlays unsaved fields on the fields saved by the main process. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors.ts';
import type { FormFields, FormUpdate, FormValues } from '../../../shared/form.ts';
import {
  type FieldGroup,
  fieldGroups,
  getFormConversation,
  groupFields,
  listFieldsByName,
} from '../../../shared/form-fields.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { changeParams, getParam } from '../../../shared/param.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { onChange } from '../../lib/change-listeners.ts';
import { PageError } from '../../lib/page-failure.ts';
import { createSaveQueue, type Fields } from '../../lib/save-queue.ts';

export interface FormState<Name extends OperationName> {
  values: FormValues<Name>;
  /** False until the saved fields load; changes made before then are kept. */
  loaded: boolean;
  /** The load or save error; null if there is none. */
  problem: AppError | null;
}

interface ChangeOptions {
  /** Names of fields to unset before the values are set; see `joinFieldName`. */
  unset?: readonly string[];
  typing?: boolean;
}

export interface Form<Name extends OperationName> {
  readonly id: string;
  readonly operation: Name;
  readonly state: Pick<StoreApi<FormState<Name>>, 'getState' | 'getInitialState' | 'subscribe'>;
  /** Whether the connection picker changes the shared connection, the form's own, or both. */
  readonly choosesConnection: 'of every panel' | 'of its own' | 'of both';
  /** The form that fields are inherited from; null for a top-level form. */
  readonly variantOf: Form<OperationName> | null;
  /** Resolves once the saved fields have loaded; rejects with a `PageError`. */
  load(): Promise<void>;
  retry(): Promise<void>;
  /**
   * Shows the change immediately and saves it; while the user is typing, saves after a pause. A
   * parameter keeps its API field name, or its state, if the change has none.
   */
  change(values: FormFields<Name>, options?: ChangeOptions): void;
}

export interface StoredForm<Name extends OperationName> extends Form<Name> {
  readonly unsaved: Fields;
  /** Like `change`, but unsets a field whose value is undefined. */
  changeFields(fields: Fields, typing?: boolean): void;
  flush(): Promise<void>;
  /** Discards all fields of a deleted form, including unsaved ones. */
  forget(): void;
  /** Stops listening for changes. */
  release(): void;
}

export function createForm<Name extends OperationName>(
  operation: Name,
  id: string,
): StoredForm<Name> {
  const queue = createSaveQueue({ kind: 'form', id, save });
  const { unsaved } = queue;
  /** The fields in the main process as of `revision`. */
  let saved: Fields = new Map();
  let revision: number | null = null;
  let loading: PromiseWithResolvers<void> | null = null;
  /** Incremented by `forget`, to detect responses to earlier requests. */
  let life = 0;
  const state = createStore<FormState<Name>>(() => ({
    values: withFields(operation, emptyValues(operation), unsaved),
    loaded: false,
    problem: null,
  }));

  async function save(sent: Fields): Promise<void> {
    const born = life;
    try {
      const update = await (sent.size === 0
        ? api.forms.get({ id, operation, after: revision })
        : api.forms.change({ id, ...getChange(sent), after: revision }));
      if (born === life) accept(update, sent);
    } catch (cause) {
      const error = toAppError(cause);
      // The form's conversation was deleted, so its fields can't be saved.
      if (error.kind === 'not-found') queue.clear();
      // The form has loaded even if the main process refuses to save.
      else if (error.kind !== 'unreachable' && sent.size > 0 && !state.getState().loaded) {
        const update = await api.forms.get({ id, operation, after: null }).catch(() => null);
        if (update !== null && born === life) accept(update, new Map());
      }
      if (born === life) fail(error, sent);
      throw cause;
    }
  }

  function getChange(fields: Fields) {
    const set = [...fields].filter(([, value]) => value !== undefined);
    const unset = [...fields.keys()].filter((name) => fields.get(name) === undefined);
    return { content: { operation, fields: groupFields(set) }, unset };
  }

  function accept({ content, names, revision: newest }: FormUpdate, sent: Fields): void {
    const known = new Set(names);
    const before = saved;
    saved = new Map(
      [...before, ...listFieldsByName(content.fields), ...sent].filter(([name]) => known.has(name)),
    );
    revision = newest;
    const changed = new Map(
      [...before.keys(), ...saved.keys()]
        .filter((name) => !unsaved.has(name) && before.get(name) !== saved.get(name))
        .map((name) => [name, saved.get(name)]),
    );
    const { loaded, problem, values } = state.getState();
    if (!loaded && problem !== null) loading = Promise.withResolvers();
    loading?.resolve();
    state.setState({
      loaded: true,
      problem: sent.size > 0 || !loaded ? null : problem,
      values: changed.size === 0 ? values : withFields(operation, values, changed),
    });
  }

  function fail(error: AppError, sent: Fields): void {
    const { loaded } = state.getState();
    if (error.kind === 'unreachable' || (loaded && sent.size === 0)) return;
    state.setState({ problem: error });
    // Keep the rejected promise, because React reads it again to show the error.
    if (!loaded) loading?.reject(new PageError(error));
  }

  function changeFields(fields: Fields, typing = false): void {
    queue.put(fields, typing);
    state.setState(({ values }) => ({ values: withFields(operation, values, fields) }));
  }

  const release = onChange((change) => {
    if (change !== null && (change.topic !== 'forms' || (change.id ?? id) !== id)) return;
    if (revision !== null || loading !== null) queue.refresh();
  });

  const form: StoredForm<Name> = {
    id,
    operation,
    state,
    unsaved,
    choosesConnection: getFormConversation(id) === null ? 'of every panel' : 'of both',
    variantOf: null,
    changeFields,
    flush: queue.flush,

    load() {
      if (loading === null) {
        loading = Promise.withResolvers();
        // Callers that await the promise handle its rejection.
        loading.promise.catch(() => undefined);
        if (state.getState().loaded) loading.resolve();
        else {
          queue.refresh();
          // Save without waiting for a pause in typing.
          void queue.flush();
        }
      }
      return loading.promise;
    },

    retry() {
      const { loaded, problem } = state.getState();
      if (!loaded && problem !== null) {
        loading = null;
        state.setState({ problem: null });
      }
      return form.load();
    },

    change(values, { unset = [], typing = false } = {}) {
      const removed = unset.map((name): [string, unknown] => [name, undefined]);
      const { params = {} } = values;
      const changed = changeParams(state.getState().values.params, params, unset);
      const own = Object.keys(params).map((name) => [name, getParam(changed, name)]);
      const fields = listFieldsByName({ ...values, params: Object.fromEntries(own) });
      changeFields(new Map([...removed, ...fields]), typing);
    },

    forget() {
      life += 1;
      queue.clear();
      saved = new Map();
      revision = null;
      loading = null;
      state.setState({ values: emptyValues(operation), loaded: false, problem: null });
    },

    release() {
      release();
      queue.close();
    },
  };
  return form;
}

/** Calls `act` once the fields have loaded, so that it doesn't overwrite saved values. */
export function runWhenLoaded(form: Form<OperationName>, act: () => void): void {
  if (form.state.getState().loaded) {
    act();
    return;
  }
  const stop = form.state.subscribe(({ loaded }) => {
    if (!loaded) return;
    stop();
    act();
  });
}

function emptyValues<Name extends OperationName>(operation: Name): FormValues<Name> {
  return {
    input: emptyInputs[operation],
    params: {},
    models: {},
    results: {},
    edits: {},
    variants: {},
    queue: {},
    extraBody: '',
    comparing: false,
    repeats: 1,
    blind: false,
    morePrompts: '',
    comparisonId: null,
    source: null,
    runId: null,
    connectionId: null,
  };
}

/** Unchanged groups keep their identity; undefined resets a field to its default. */
function withFields<Name extends OperationName>(
  operation: Name,
  values: FormValues<Name>,
  fields: Fields,
): FormValues<Name> {
  const empty = new Map(listFieldsByName(emptyValues(operation)));
  const changed = groupFields(
    [...fields].map(([name, value]) => [name, value === undefined ? empty.get(name) : value]),
  );
  const merged = Object.entries(changed).map(([name, value]) => {
    if (!isGroup(name)) return [name, value];
    const entries = Object.entries({ ...values[name], ...value });
    return [name, Object.fromEntries(entries.filter(([, entry]) => entry !== undefined))];
  });
  return { ...values, ...Object.fromEntries(merged) };
}

function isGroup(name: string): name is FieldGroup {
  return fieldGroups.some((group) => group === name);
}
