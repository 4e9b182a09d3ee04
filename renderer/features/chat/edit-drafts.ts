/** Edits of messages, tools and schemas that were not saved yet: kept by main in a form, by what they change. */
import { useLayoutEffect, useRef, useState } from 'react';
import { fieldName } from '../../../shared/form-fields.ts';
import type { UnsavedEdit } from '../../../shared/operations/chat/input.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import type { Form } from '../../run/form/form.ts';
import { useForm } from '../../run/form/use-form.ts';

/** A draft's name in its form. A message's is its ID. */
export const draftNames = {
  /** Null: the one that is not saved yet. */
  tool: (id: string | null) => id ?? 'new',
  schema: 'schema',
};

export function useEditDraft(form: Form<'chat'>, name: string): UnsavedEdit | null {
  return useForm(form, ({ edits }) => edits[name] ?? null);
}

export function useHasDraft(form: Form<'chat'>, name: string): boolean {
  return useForm(form, ({ edits }) => edits[name] !== undefined);
}

export function keepDraft(form: Form<'chat'>, name: string, draft: UnsavedEdit): void {
  form.change({ edits: { [name]: draft } }, { typing: true });
}

/** It was saved, or is what was saved again. */
export function dropDraft(form: Form<'chat'>, name: string): void {
  if (form.state.getState().values.edits[name] === undefined) return;
  form.change({}, { unset: [fieldName('edits', name)] });
}

/** Where its editor offers to undo `discardDraft`. */
export function draftPlace(form: Form<'chat'>, name: string): string {
  return `${form.id} ${name}`;
}

/** The user does not want it, and may want it after all. */
export function discardDraft(form: Form<'chat'>, name: string): void {
  changeWithUndo(form, () => dropDraft(form, name), 'Changes discarded', {
    place: draftPlace(form, name),
  });
}

interface TextDraft {
  /** Of the Undo of `discard`. */
  place: string;
  text: string;
  /** Begins with what was typed before the editor was opened. */
  restored: boolean;
  /** Changes where the text is another all at once: for editors that keep their own text. */
  version: number;
  change: (text: string) => void;
  discard: () => void;
}

/** A text that is edited in a dialog, and kept as long as it differs from `original`. */
export function useTextDraft(form: Form<'chat'>, name: string, original: string): TextDraft {
  const draft = useEditDraft(form, name);
  const text = draft?.text ?? original;
  const [isOwn, setIsOwn] = useState(false);
  const [version, setVersion] = useState(0);
  const shown = useRef(text);
  // It came from main just now, or from another window.
  useLayoutEffect(() => {
    if (text === shown.current) return;
    shown.current = text;
    setVersion((count) => count + 1);
  }, [text]);
  return {
    place: draftPlace(form, name),
    text,
    restored: draft !== null && !isOwn,
    version,
    change(next) {
      shown.current = next;
      if (draft === null) setIsOwn(true);
      if (next === original) dropDraft(form, name);
      else keepDraft(form, name, { text: next });
    },
    discard() {
      discardDraft(form, name);
      setIsOwn(false);
    },
  };
}
