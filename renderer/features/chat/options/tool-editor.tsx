import type { AppError } from '../../../../shared/errors.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { FormProblem } from '../../../run/form/form-problem.tsx';
import { toolsForm } from '../../../run/form/panel-forms.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { readJson } from '../../../ui/json-editor/json-problems.ts';
import { DraftNote } from '../draft-note.tsx';
import { draftNames, useTextDraft } from '../edit-drafts.ts';
import { toolProblems, toolSchemaKeywords } from './check-tool-definition.ts';
import styles from './conversation-options.module.css';
import { newTool } from './option-examples.ts';

interface ToolEditorProps {
  /** Null for a new tool. */
  saved: SavedTool | null;
  otherNames: readonly string[];
  error: AppError | null;
  busy: boolean;
  onSave: (tool: Tool) => void;
  onCancel: () => void;
}

export function ToolEditor({ saved, otherNames, error, busy, onSave, onCancel }: ToolEditorProps) {
  const draft = useTextDraft(
    toolsForm,
    draftNames.tool(saved?.id ?? null),
    JSON.stringify(saved?.tool ?? newTool(otherNames), null, 2),
  );
  const check = (value: JsonValue) => toolProblems(value, otherNames);
  const read = readJson(draft.text, check);
  const save = () => {
    // A value without problems has the shape of a tool.
    if (read.ok && !busy) onSave(read.value as Tool);
  };
  return (
    <div className={styles.editor}>
      <p className={styles.note}>
        Sent exactly as written; parameters must be a JSON schema. Press Ctrl+Space for suggestions.
      </p>
      <FormProblem form={toolsForm} />
      <DraftNote place={draft.place} restored={draft.restored} onDiscard={draft.discard} />
      <JsonEditor
        key={draft.version}
        label="Tool definition"
        initialText={draft.text}
        onTextChange={draft.change}
        check={check}
        words={toolSchemaKeywords}
        onSubmit={save}
      />
      {error !== null && <ErrorAlert error={error} compact />}
      <div className={styles.editorActions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          variant="primary"
          busy={busy}
          onClick={save}
          disabledReason={read.ok ? null : 'Fix the marked errors first.'}
        >
          Save tool
        </Button>
      </div>
    </div>
  );
}
