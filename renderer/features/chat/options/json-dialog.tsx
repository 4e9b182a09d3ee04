import { useState } from 'react';
import type { JsonValue } from '../../../../shared/json.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { type CheckValue, readJson } from '../../../ui/json-editor/json-problems.ts';
import { schemaWords } from './check-json-schema.ts';
import styles from './conversation-options.module.css';

interface JsonDialogProps {
  title: string;
  label: string;
  note: string;
  initial: JsonValue;
  check: CheckValue;
  onSave: (value: JsonValue) => void;
  onClose: () => void;
}

/** One JSON value in a dialog; it can be saved while nothing is wrong with it. */
export function JsonDialog({ title, label, note, initial, check, ...on }: JsonDialogProps) {
  const [text, setText] = useState(() => JSON.stringify(initial, null, 2));
  const read = readJson(text, check);
  const save = () => read.ok && on.onSave(read.value);
  return (
    <Dialog
      open
      title={title}
      size="large"
      onClose={on.onClose}
      actions={
        <>
          <Button onClick={on.onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={save}
            disabledReason={read.ok ? null : 'Mend what is marked first.'}
          >
            Save
          </Button>
        </>
      }
    >
      <div className={styles.editor}>
        <p className={styles.note}>{note}</p>
        <JsonEditor
          label={label}
          initialText={text}
          onTextChange={setText}
          check={check}
          words={schemaWords}
          onSubmit={save}
        />
      </div>
    </Dialog>
  );
}
