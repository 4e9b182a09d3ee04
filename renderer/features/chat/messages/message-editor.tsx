import { useRef, useState } from 'react';
import type { Content } from '../../../../shared/operations/chat/message.ts';
import { Button } from '../../../ui/button.tsx';
import { attachmentsIn, contentOf, textIn } from '../composer/content-parts.ts';
import { PartChips } from '../composer/part-chips.tsx';
import { RawTextArea } from '../composer/raw-text-area.tsx';
import styles from './message.module.css';

interface MessageEditorProps {
  content: Content;
  /** Whether the changed message can ask for an answer. */
  canRun: boolean;
  onSave: (content: Content, run: boolean) => void;
  onCancel: () => void;
}

/** Changes a message by adding another version of it; the old one stays on its branch. */
export function MessageEditor({ content, canRun, onSave, onCancel }: MessageEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [attachments, setAttachments] = useState(() => attachmentsIn(content));
  const text = textIn(content);
  const save = (run: boolean) => onSave(contentOf(area.current?.value ?? text, attachments), run);
  return (
    <div className={styles.editor} data-focus-scope>
      <RawTextArea
        ref={area}
        label="Edit message"
        defaultValue={text}
        maxRows={16}
        autoFocus
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
      <PartChips parts={attachments} onChange={setAttachments} />
      <div className={styles.editorActions}>
        {canRun && (
          <Button variant="primary" size="small" data-goes-on="run" onClick={() => save(true)}>
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
