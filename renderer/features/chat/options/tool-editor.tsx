import { useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { readJson } from '../../../ui/json-editor/json-problems.ts';
import { schemaWords } from './check-json-schema.ts';
import styles from './conversation-options.module.css';
import { exampleTool, toolProblems } from './tool-definition.ts';

interface ToolEditorProps {
  /** Null for one that is not saved yet. */
  saved: SavedTool | null;
  otherNames: readonly string[];
  error: AppError | null;
  busy: boolean;
  onSave: (tool: Tool) => void;
  onCancel: () => void;
}

export function ToolEditor({ saved, otherNames, error, busy, onSave, onCancel }: ToolEditorProps) {
  const [text, setText] = useState(() => JSON.stringify(saved?.tool ?? exampleTool, null, 2));
  const check = (value: JsonValue) => toolProblems(value, otherNames);
  const read = readJson(text, check);
  const save = () => {
    // `toolProblems` found nothing: it has the shape.
    if (read.ok && !busy) onSave(read.value as Tool);
  };
  return (
    <div className={styles.editor}>
      <p className={styles.note}>
        The definition as it is sent, its parameters a JSON Schema. Ctrl+Space suggests keywords.
      </p>
      <JsonEditor
        label="Tool definition"
        initialText={text}
        onTextChange={setText}
        check={check}
        words={toolWords}
        onSubmit={save}
      />
      {error !== null && <ErrorAlert error={error} compact />}
      <div className={styles.editorActions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          variant="primary"
          busy={busy}
          onClick={save}
          disabledReason={read.ok ? null : 'Mend what is marked first.'}
        >
          Save tool
        </Button>
      </div>
    </div>
  );
}

const toolWords = ['function', 'name', 'parameters', ...schemaWords];
