import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Media } from '../../../shared/media.ts';
import { FORMAT } from '../../../shared/operations/formats.ts';
import { operations } from '../../../shared/operations/operations.ts';
import {
  findEndpoint,
  moveTo,
  type SentInput,
  toFormRequest,
  toHttp,
} from '../../../shared/operations/write-request.ts';
import type { PastedText } from '../../../shared/pasted/read-pasted.ts';
import { orpc } from '../../lib/api.ts';
import { readJsonText } from '../../lib/format-json-error.ts';
import { Button } from '../../ui/button.tsx';
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx';
import type { ValueProblem } from '../../ui/json-editor/json-problems.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { keepUnfinishedText, useUnfinishedText } from '../form/request-views.ts';
import { showRunBlock } from '../form/run-block.ts';
import { useConnection } from '../form/use-connection.ts';
import { useForm } from '../form/use-form.ts';
import { useModel } from '../form/use-model.ts';
import { PastedOffer, usePastedRequest } from '../paste/pasted-offer.tsx';
import { findFiles } from '../paste/store-media.ts';
import { getBodyHint } from './body-hints.ts';
import {
  collectInput,
  editForm,
  findLockedItems,
  listRequestMediaIds,
  readShownBody,
  writeShownBody,
} from './form-body.ts';
import type { ViewedRequest } from './viewed-request.ts';
import styles from './views.module.css';

interface JsonFieldsProps {
  viewed: ViewedRequest;
  onRun: () => void;
}

/** Shows the form as the JSON of its request, which can be edited. */
export function JsonFields({ viewed, onRun }: JsonFieldsProps) {
  const { form, described, getOwn } = viewed;
  const values = useForm(form, (all) => all);
  const { model } = useModel(form);
  const input = useMemo(
    () => collectInput(described, { values, model, own: getOwn(values) }),
    [described, values, model, getOwn],
  );
  const media = useShownMedia(listRequestMediaIds(described.name, input));
  const body = useMemo(
    () => (media === null ? null : writeShownBody(described.name, input, media)),
    [described, input, media],
  );
  if (body === null || !viewed.isLoaded) return <Spinner label="Loading request" />;
  const format = String(input.request[FORMAT] ?? '');

  function isOwn({ target, request: { body: pasted } }: PastedText): boolean {
    if (target?.operation !== described.name || target.format !== format) return false;
    if (pasted.kind !== 'json' || !isJsonObject(pasted.value)) return false;
    const { request } = readShownBody(described.name, pasted.value, input, viewed.hold);
    const fits = viewed.findProblem === undefined || viewed.findProblem(request) === null;
    return fits && findFiles(described.name, request).size === 0;
  }

  return (
    <PasteArea key={`${form.id} ${format}`} formId={form.id} isOwn={isOwn}>
      <Target viewed={viewed} input={input} />
      <BodyEditor viewed={viewed} onRun={onRun} input={input} body={body} format={format} />
    </PasteArea>
  );
}

/** Pasted text that the user hasn't answered for, by form; it may have a key, so it isn't stored. */
const keptPastes = new Map<string, string>();

interface PasteAreaProps {
  formId: string;
  /** Returns true for a body that can be edited here as is, without files to store. */
  isOwn: (pasted: PastedText) => boolean;
  children: ReactNode;
}

/** Offers to open a pasted command, or a body meant for another panel or format. */
function PasteArea({ formId, isOwn, children }: PasteAreaProps) {
  const area = useRef<HTMLElement>(null);
  const focus = () => findEditor(area.current)?.focus({ preventScroll: true });
  const { takePaste, ...pasted } = usePastedRequest({
    isOffered: (request) => request.request.url !== null || !isOwn(request),
    focus,
    keep: (text) => keptPastes.set(formId, text),
    restore() {
      const kept = keptPastes.get(formId) ?? null;
      keptPastes.delete(formId);
      return kept;
    },
    insert: (text) => {
      focus();
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      // The event stays in the editor's shadow root, so the text isn't offered again.
      const init = { bubbles: true, cancelable: true, clipboardData };
      findEditor(area.current)?.dispatchEvent(new ClipboardEvent('paste', init));
    },
  });
  return (
    <section
      ref={area}
      className={styles.view}
      aria-label="Request as JSON"
      onPasteCapture={(event) => {
        // Only the loaded editor inserts text from a paste event.
        const [target] = event.nativeEvent.composedPath();
        const editor = target instanceof HTMLElement ? target.closest(EDITOR) : null;
        if (editor !== null && takePaste(event)) event.stopPropagation();
      }}
    >
      <PastedOffer {...pasted} />
      {children}
    </section>
  );
}

const EDITOR = '[contenteditable="true"]';

/** Returns null until the editor has loaded. */
function findEditor(area: HTMLElement | null): HTMLElement | null {
  const hosts = [...(area?.querySelectorAll('div') ?? [])];
  const found = hosts.map(({ shadowRoot }) => shadowRoot?.querySelector<HTMLElement>(EDITOR));
  return found.find((editor) => editor != null) ?? null;
}

/** Returns null until the items have loaded. */
function useShownMedia(ids: readonly string[]): ReadonlyMap<string, Media> | null {
  return useQueries({
    queries: ids.map((id) => orpc.media.get.queryOptions({ input: { id } })),
    combine: combineMedia,
  });
}

interface MediaResult {
  data: Media | null | undefined;
  isPending: boolean;
}

function combineMedia(results: readonly MediaResult[]): ReadonlyMap<string, Media> | null {
  if (results.some(({ isPending }) => isPending)) return null;
  const found = results.flatMap(({ data }) => data ?? []);
  return new Map(found.map((item) => [item.id, item]));
}

function Target({ viewed, input }: { viewed: ViewedRequest; input: SentInput }) {
  const { name } = viewed.described;
  const endpoints = useConnection(viewed.form)?.options.endpoints ?? [];
  const operation = moveTo(operations[name], findEndpoint(endpoints, name, input.request));
  const form = toFormRequest(operation, input);
  const isForm = form !== null || name === 'transcription';
  const { method, path } = form ?? toHttp(operation, input);
  return (
    <p className={styles.target}>
      <code className="truncate">
        {method} {decodeURIComponent(path)}
      </code>
      {isForm && <span className="hint fixed">Sent as a form with files</span>}
    </p>
  );
}

interface BodyEditorProps extends JsonFieldsProps {
  input: SentInput;
  /** The body built from the form. */
  body: JsonObject;
  format: string;
}

function BodyEditor({ viewed, onRun, input, body, format }: BodyEditorProps) {
  const { form, described, getOwn, hold, fixed, revision } = viewed;
  const { model, connectionId } = useModel(form);
  const unfinished = useUnfinishedText(form.id);
  /** The text as the user typed it; null while it follows the form. */
  const [draft, setDraft] = useState(unfinished);
  /** The last body that was typed, or the form's previous body. */
  const base = useRef(body);
  const [seen, setSeen] = useState(revision);
  if (seen !== revision) {
    setSeen(revision);
    setDraft(null);
  }
  const shown = useMemo(() => JSON.stringify(body, null, 2), [body]);
  const locked = useMemo(
    () => findLockedItems(described.name, input, viewed.getSent(form.state.getState().values)),
    [described, input, viewed, form],
  );

  function change(text: string) {
    const read = readJsonText(text);
    const before = draft === null ? body : base.current;
    if (draft === null) base.current = body;
    setDraft(text);
    if (!read.ok || !isJsonObject(read.value)) {
      keepUnfinishedText(form.id, text);
      return;
    }
    const request = readShownBody(described.name, read.value, input, hold).request;
    if (viewed.findProblem?.(request)?.severity === 'error') {
      keepUnfinishedText(form.id, text);
      return;
    }
    keepUnfinishedText(form.id, null);
    base.current = read.value;
    const { values } = form.state.getState();
    const state = { values, model, own: getOwn(values) };
    const edit = editForm(described, state, { before, after: read.value, hold, fixed });
    const models =
      edit.model === null || connectionId === null ? {} : { [connectionId]: edit.model };
    form.change({ ...edit.fields, models }, { typing: true });
    if (edit.own !== null) viewed.writeOwn(edit.own);
  }

  function check(value: JsonValue): ValueProblem[] {
    if (!isJsonObject(value)) {
      return [{ path: [], message: 'Enter a JSON object.', severity: 'error' }];
    }
    const read = readShownBody(described.name, value, input, hold);
    const own = viewed.findProblem?.(read.request) ?? null;
    return [
      ...(own === null ? [] : [{ ...own, path: ['messages'] }]),
      ...read.problems
        .filter(({ path: [name = ''] }) => !fixed.has(name))
        .map(({ path, message }): ValueProblem => {
          const sent = `${path[0]}: ${message} Sent as an extra body field.`;
          return { path: path.map(toStep), message: sent, severity: 'warning' };
        }),
    ];
  }

  const extra = Object.keys(input.extraBody);
  return (
    <div className={styles.editor}>
      <JsonEditor
        label="Request body"
        hidesLabel
        initialText={draft ?? shown}
        text={draft ?? shown}
        onTextChange={change}
        check={check}
        hint={getBodyHint(described.name, format)}
        locked={locked}
        onSubmit={unfinished === null ? onRun : showRunBlock}
        onBlur={() => unfinished === null && setDraft(null)}
      />
      {unfinished === null ? (
        <p className="hint">
          {extra.length > 0 ? `Extra JSON: ${extra.join(', ')}` : 'Changes apply to the form.'}
        </p>
      ) : (
        <p className={`hint ${styles.unfinished}`}>
          The form keeps the last valid JSON.
          <Button
            size="small"
            onClick={() => {
              keepUnfinishedText(form.id, null);
              setDraft(null);
            }}
          >
            Restore
          </Button>
        </p>
      )}
    </div>
  );
}

function toStep(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : step;
}
