import { useRef, useState } from 'react';
import type { Content } from '../../../../shared/operations/chat/message.ts';
import { Button } from '../../../ui/button.tsx';
import { attachmentsIn, contentOf, textIn } from '../composer/content-parts.ts';
import { PartChips } from '../composer/part-chips.tsx';
import { RawTextArea } from '../composer/raw-text-area.tsx';
import { DraftNote } from '../draft-note.tsx';
import { draftOf, dropDraft, keepDraft } from '../edit-drafts.ts';
import styles from './message.module.css';

interface MessageEditorProps {
  content: Content;
  /** Under which unsaved changes are kept. */
  draftKey: string;
  /** Whether the changed message can ask for an answer. */
  canRun: boolean;
  onSave: (content: Content, run: boolean) => void;
  onCancel: () => void;
}

/** Changes a message by adding another version of it; the old one stays on its branch. Closing keeps what was typed. */
export function MessageEditor({ content, draftKey, canRun, onSave, onCancel }: MessageEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(() => draftOf(draftKey));
  const [attachments, setAttachments] = useState(() => draft?.parts ?? attachmentsIn(content));
  const original = textIn(content);
  const text = draft?.text ?? original;
  const keep = (parts = attachments) => {
    const typed = area.current?.value ?? text;
    const changed =
      typed !== original || JSON.stringify(parts) !== JSON.stringify(attachmentsIn(content));
    if (changed) keepDraft(draftKey, { text: typed, parts });
    else dropDraft(draftKey);
  };
  const discard = () => {
    dropDraft(draftKey);
    setDraft(null);
    setAttachments(attachmentsIn(content));
    if (area.current === null) return;
    area.current.value = original;
    area.current.focus();
  };
  const save = (run: boolean) => onSave(contentOf(area.current?.value ?? text, attachments), run);
  return (
    <div className={styles.editor} data-focus-scope>
      {draft !== null && <DraftNote onDiscard={discard} />}
      <RawTextArea
        ref={area}
        label="Edit message"
        defaultValue={text}
        maxRows={16}
        autoFocus
        onInput={() => keep()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onCancel();
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            event.stopPropagation();
            save(canRun);
          }
        }}
      />
      <PartChips
        parts={attachments}
        onChange={(parts) => {
          setAttachments(parts);
          keep(parts);
        }}
      />
      <div className={styles.editorActions}>
        {canRun && (
          <Button
            variant="primary"
            size="small"
            data-focus-fallback="run"
            onClick={() => save(true)}
          >
            Save and run
          </Button>
        )}
        <Button size="small" onClick={() => save(false)}>
          Save
        </Button>
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
