/** A form in the page: main's fields, and over them what the user has changed and main does not have yet. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors.ts';
import type { FormUpdate } from '../../../shared/form.ts';
import { conversationOfForm } from '../../../shared/form-fields.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { api } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { onChange } from '../../lib/change-listeners.ts';
import { linkOpen } from '../../lib/link-state.ts';
import { PageError } from '../../lib/page-failure.ts';
import {
  emptyChange,
  emptyValues,
  type FormValues,
  getNames,
  isNoChange,
  joinChanges,
  type PartialFormValues,
  type ValueChange,
  withChange,
  withoutNames,
  withValues,
} from './form-values.ts';
import type { UnwrittenFields } from './unsaved-fields.ts';

/** While the user types, one write for many keys; at the latest after `longestMs`. */
const typingMs = 350;
const maxMs = 2000;
/** A disk that is full may have room again. */
const retryMs = 3000;

export interface FormState<Name extends OperationName> {
  values: FormValues<Name>;
  /** False until main's fields are loaded; what is set before that stays. */
  loaded: boolean;
  /** Why main's fields do not come, or why main does not have the newest changes; null while all is well. */
  problem: AppError | null;
}

export interface Form<Name extends OperationName> {
  readonly id: string;
  readonly operation: Name;
  readonly state: Pick<StoreApi<FormState<Name>>, 'getState' | 'getInitialState' | 'subscribe'>;
  /** Whose connection the user chooses here: that of every panel, this form's own, or both. */
  readonly choosesConnection: 'of every panel' | 'of its own' | 'of both';
  /** The form that it follows in all that it has not set itself; null if it stands alone. */
  readonly variantOf: Form<OperationName> | null;
  /** Resolves once main's fields are loaded; fetches them the first time. Rejects with a `PageFailure`. */
  load(): Promise<void>;
  /** As `load`, and fetches again where that has failed. */
  retry(): Promise<void>;
  /** Shown at once, written to main in this very moment or, while typing, once that pauses. */
  change(
    values: PartialFormValues<Name>,
    options?: { unset?: readonly string[]; typing?: boolean },
  ): void;
  /** Writes what waits for a pause of typing. */
  flush(): void;
  /** What main does not have for sure; null if it has everything. */
  unwritten(): UnwrittenFields | null;
  /** Drops what is known and what was not written: the form is no more, or another one now. */
  forget(): void;
  /** Stops listening for changes: no longer shown. */
  release(): void;
}

/** Main is not called before `ready`, where that is given. */
export function createForm<Name extends OperationName>(
  operation: Name,
  id: string,
  ready: Promise<void> | null = null,
): Form<Name> {
  const state = createStore<FormState<Name>>(() => ({
    values: emptyValues(operation),
    loaded: false,
    problem: null,
  }));
  /** As main has them, at `revision`. */
  let saved = emptyValues(operation);
  let revision: number | null = null;
  let sending: ValueChange<Name> = emptyChange;
  let unsaved: ValueChange<Name> = emptyChange;
  let unsavedSince = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let due = false;
  let stale = false;
  let busy = false;
  /** In the page's last moment nothing can be waited for. */
  let started = ready === null;
  /** Counts how often it was forgotten: an answer to an earlier one says nothing. */
  let life = 0;
  let loading: PromiseWithResolvers<void> | null = null;
  /** The failed promise stays: React reads it again to show why. */
  let loadFailed = false;

  /** One call at a time, so that answers come in the order of the calls. */
  async function synchronize(): Promise<void> {
    if (busy) return;
    busy = true;
    if (!started) await ready;
    started = true;
    while (due || stale) await (due ? write() : read());
    busy = false;
  }

  async function read(): Promise<void> {
    stale = false;
    const lifeAtStart = life;
    try {
      const update = await api.forms.get({ id, operation, after: revision });
      if (lifeAtStart === life) accept(update, emptyChange);
    } catch (cause) {
      const error = toAppError(cause);
      if (error.kind === 'unreachable') {
        await reopened();
        stale = true;
      } else if (lifeAtStart === life && !state.getState().loaded) {
        loadFailed = true;
        state.setState({ problem: error });
        loading?.reject(new PageError(error));
      }
    }
  }

  async function write(): Promise<void> {
    stopTimer();
    due = false;
    if (isNoChange(unsaved)) return;
    stale = false;
    const lifeAtStart = life;
    sending = unsaved;
    unsaved = emptyChange;
    try {
      const update = await api.forms.change({ ...getFields(sending), after: revision });
      if (lifeAtStart !== life) return;
      const sent = sending;
      sending = emptyChange;
      accept(update, sent);
      if (state.getState().problem !== null) state.setState({ problem: null });
    } catch (cause) {
      if (lifeAtStart !== life) return;
      unsaved = joinChanges(sending, unsaved);
      sending = emptyChange;
      await recover(toAppError(cause));
    }
  }

  async function recover(error: AppError): Promise<void> {
    if (error.kind === 'unreachable') {
      await reopened();
      due = true;
      return;
    }
    state.setState({ problem: error });
    // What main refuses goes again with the next change.
    if (error.kind === 'file') writeIn(retryMs);
  }

  function getFields({ values, unset }: ValueChange<Name>): UnwrittenFields {
    return { id, content: { operation, fields: values }, unset: [...unset] };
  }

  function accept({ content, names, ...update }: FormUpdate, sent: ValueChange<Name>): void {
    const fields = getValues(content, operation);
    const isGone = update.revision === 0;
    const before = isGone ? emptyValues(operation) : saved;
    const known = withChange(withValues<Name, FormValues<Name>>(before, fields), sent);
    const there = new Set(names);
    saved = withoutNames(known, new Set(getNames(known).filter((name) => !there.has(name))));
    revision = update.revision;
    const byOthers = isGone || getNames(fields).length > 0 || saved !== known;
    // What only confirms the page's own changes leaves everything the same object.
    if (byOthers || !state.getState().loaded) {
      state.setState({ loaded: true, values: withChange(withChange(saved, sending), unsaved) });
    }
    if (loadFailed) {
      loadFailed = false;
      loading = Promise.withResolvers();
      state.setState({ problem: null });
    }
    loading?.resolve();
  }

  function writeIn(ms: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      due = true;
      void synchronize();
    }, ms);
  }

  function stopTimer(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  const release = onChange((change) => {
    if (change !== null && (change.topic !== 'forms' || (change.id ?? id) !== id)) return;
    if (revision === null && !busy) return;
    stale = true;
    void synchronize();
  });

  const form: Form<Name> = {
    id,
    operation,
    state,
    choosesConnection: conversationOfForm(id) === null ? 'of every panel' : 'of both',
    variantOf: null,
    release,

    load() {
      if (loading === null) {
        loading = Promise.withResolvers();
        // Its awaiters handle the rejection.
        loading.promise.catch(() => undefined);
        stale = true;
        void synchronize();
      }
      return loading.promise;
    },

    retry() {
      if (loadFailed) {
        loadFailed = false;
        loading = null;
        state.setState({ problem: null });
      }
      return form.load();
    },

    change(values, { unset = [], typing = false } = {}) {
      const change = { values, unset };
      if (isNoChange(unsaved)) unsavedSince = performance.now();
      unsaved = joinChanges(unsaved, change);
      state.setState((before) => ({ values: withChange(before.values, change) }));
      stopTimer();
      const waited = performance.now() - unsavedSince;
      writeIn(typing ? Math.max(0, Math.min(typingMs, maxMs - waited)) : 0);
    },

    flush() {
      if (timer === null) return;
      stopTimer();
      due = true;
      void synchronize();
    },

    unwritten() {
      const change = joinChanges(sending, unsaved);
      return isNoChange(change) ? null : getFields(change);
    },

    forget() {
      life += 1;
      stopTimer();
      sending = emptyChange;
      saved = emptyValues(operation);
      revision = null;
      unsaved = emptyChange;
      due = false;
      loading = null;
      loadFailed = false;
      state.setState({ values: saved, loaded: false, problem: null });
    },
  };
  return form;
}

/** Acts on what main has: set before it is loaded, a list or options would replace all there is. */
export function onceLoaded(form: Form<OperationName>, act: () => void): void {
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

/** Resolves when the page can call main again. */
function reopened(): Promise<void> {
  return linkOpen(new AbortController().signal);
}

/** Main answers for the requested operation. */
export function getValues<Name extends OperationName>(
  content: { operation: OperationName; fields: object },
  operation: Name,
): PartialFormValues<Name> {
  return isOf(content, operation) ? content.fields : {};
}

function isOf<Name extends OperationName>(
  content: { operation: OperationName; fields: object },
  operation: Name,
): content is { operation: Name; fields: PartialFormValues<Name> } {
  return content.operation === operation;
}
