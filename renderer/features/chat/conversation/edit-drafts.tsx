import { useLayoutEffect, useRef, useState } from 'react';
import { joinFieldName } from '../../../../shared/form-fields.ts';
import type { UnsavedEdit } from '../../../../shared/operations/chat/request.ts';
import { withdrawOffersAt } from '../../../lib/undo.ts';
import { changeWithUndo } from '../../../run/form/change-with-undo.ts';
import type { Form } from '../../../run/form/form.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';

export function useEditDraft(form: Form<'chat'>, name: string): UnsavedEdit | null {
  return useForm(form, ({ edits }) => edits[name] ?? null);
}

export function useHasDraft(form: Form<'chat'>, name: string): boolean {
  return useForm(form, ({ edits }) => edits[name] !== undefined);
}

export function keepDraft(form: Form<'chat'>, name: string, draft: UnsavedEdit): void {
  form.change({ edits: { [name]: draft } }, { typing: true });
}

export function dropDraft(form: Form<'chat'>, name: string): void {
  if (form.state.getState().values.edits[name] === undefined) return;
  withdrawOffersAt([getDraftUndoKey(form, name)]);
  form.change({}, { unset: [joinFieldName('edits', name)] });
}

export function getDraftUndoKey(form: Form<'chat'>, name: string): string {
  return `${form.id} ${name}`;
}

export function discardDraft(form: Form<'chat'>, name: string): void {
  changeWithUndo(form, () => dropDraft(form, name), 'Changes discarded', {
    place: getDraftUndoKey(form, name),
  });
}

interface TextDraft {
  undoKey: string;
  text: string;
  /** True if the text was typed before the editor opened. */
  restored: boolean;
  /** Changes when the text is replaced from outside; use it as the key of uncontrolled editors. */
  version: number;
  change: (text: string) => void;
  /** Replaces the text of the editor, and offers Undo. */
  replace: (text: string, message: string) => void;
  discard: () => void;
}

/** Stores the text as a draft as long as it differs from `original`. */
export function useTextDraft(form: Form<'chat'>, name: string, original: string): TextDraft {
  const draft = useEditDraft(form, name);
  const text = draft?.text ?? original;
  const [isOwn, setIsOwn] = useState(false);
  const [version, setVersion] = useState(0);
  const shown = useRef(text);
  // Remount the editor if the main process or another window changed the text.
  useLayoutEffect(() => {
    if (text === shown.current) return;
    shown.current = text;
    setVersion((count) => count + 1);
  }, [text]);
  return {
    undoKey: getDraftUndoKey(form, name),
    text,
    restored: draft !== null && !isOwn,
    version,
    change(next) {
      shown.current = next;
      if (draft === null) setIsOwn(true);
      if (next === original) dropDraft(form, name);
      else keepDraft(form, name, { text: next });
    },
    replace(next, message) {
      const place = getDraftUndoKey(form, name);
      setIsOwn(true);
      changeWithUndo(form, () => keepDraft(form, name, { text: next }), message, {
        place,
        after: 'any change',
      });
    },
    discard() {
      discardDraft(form, name);
      setIsOwn(false);
    },
  };
}

interface DraftNoteProps {
  undoKey: string;
  restored: boolean;
  onDiscard: () => void;
}

/** Offers to discard restored changes, with Undo. */
export function DraftNote({ undoKey, restored, onDiscard }: DraftNoteProps) {
  return (
    <>
      <UndoBars place={undoKey} />
      {restored && (
        <p role="status" className="row-8 caption">
          Unsaved changes restored
          <Button size="small" variant="quiet" onClick={onDiscard}>
            Discard changes
          </Button>
        </p>
      )}
    </>
  );
}
