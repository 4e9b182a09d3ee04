import type { AppError } from '../../../../shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { type Tool, toolSchema } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';
import { answeredByYou, type ToolAnswer } from '../../../../shared/tool-answer.ts';
import { toolsForm } from '../../../run/form/panel-forms.ts';
import { draftNames } from '../conversation/chat-labels.ts';
import { createTool } from '../session/option-examples.ts';
import { checkTool, toolSchemaKeywords } from './check-definitions.ts';
import { JsonDialog } from './json-dialog.tsx';
import { ToolAnswerFields, useToolAnswer } from './tool-answer-fields.tsx';

/** Replaces the parameters, but keeps the name and description. */
function placeParameters(current: JsonValue | null, parameters: JsonObject): JsonObject {
  const tool = isJsonObject(current) ? current : {};
  const definition = isJsonObject(tool.function) ? tool.function : { name: 'my_tool' };
  return { ...tool, type: 'function', function: { ...definition, parameters } };
}

interface ToolDialogProps {
  /** Null for a new tool. */
  saved: SavedTool | null;
  otherNames: readonly string[];
  busy: boolean;
  error: AppError | null;
  /** Call `onSaved` after saving, to clear the unsaved changes. */
  onSave: (tool: Tool, answer: ToolAnswer, onSaved: () => void) => void;
  onClose: () => void;
}

/** Edits a tool's definition, and who answers its calls. */
export function ToolDialog(props: ToolDialogProps) {
  const { saved, otherNames, busy, error, onSave, onClose } = props;
  const id = saved?.id ?? null;
  const draft = useToolAnswer(id, saved?.answer ?? answeredByYou);
  return (
    <JsonDialog
      title={saved === null ? 'New tool' : `Edit ${saved.tool.function.name}`}
      note="Sent exactly as written; parameters must be a JSON Schema. Press Ctrl+Space for suggestions."
      label="Tool definition"
      saveLabel="Save tool"
      initial={saved?.tool ?? createTool(otherNames)}
      form={toolsForm}
      draftName={draftNames.tool(id)}
      check={(value) => checkTool(value, otherNames)}
      words={toolSchemaKeywords}
      placeSchema={placeParameters}
      busy={busy}
      error={error}
      problem={draft.problem}
      onSave={(value) => onSave(toolSchema.parse(value), draft.answer, draft.drop)}
      onClose={onClose}
    >
      <ToolAnswerFields draft={draft} />
    </JsonDialog>
  );
}
