import type { AppError } from '../../../../shared/errors.ts';
import { isJsonObject, type JsonValue } from '../../../../shared/json.ts';
import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { FormProblem } from '../../../run/form/form-problem.tsx';
import { toolsForm } from '../../../run/form/panel-forms.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { readJson, type ValueProblem } from '../../../ui/json-editor/json-problems.ts';
import { DraftNote } from '../draft-note.tsx';
import { draftNames, useTextDraft } from '../edit-drafts.ts';
import { schemaProblems, schemaWords } from './check-json-schema.ts';
import styles from './conversation-options.module.css';
import { exampleTool } from './option-examples.ts';

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
  const draft = useTextDraft(
    toolsForm,
    draftNames.tool(saved?.id ?? null),
    JSON.stringify(saved?.tool ?? exampleTool, null, 2),
  );
  const check = (value: JsonValue) => toolProblems(value, otherNames);
  const read = readJson(draft.text, check);
  const save = () => {
    // `toolProblems` found nothing: it has the shape.
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
          disabledReason={read.ok ? null : 'Fix the marked errors first.'}
        >
          Save tool
        </Button>
      </div>
    </div>
  );
}

const toolWords = ['function', 'name', 'parameters', ...schemaWords];

/** `others`: the names of the other saved tools. */
export function toolProblems(value: JsonValue, others: readonly string[]): ValueProblem[] {
  if (!isJsonObject(value)) return [error([], 'A tool must be a JSON object.')];
  const problems: ValueProblem[] = [];
  if (value.type !== 'function') problems.push(error(['type'], 'type must be "function".'));
  const definition = value.function;
  if (!isJsonObject(definition)) {
    problems.push(error(['function'], 'function must be an object with name and parameters.'));
    return problems;
  }
  const at = (...path: string[]) => ['function', ...path];
  const { name, description, parameters } = definition;
  if (typeof name !== 'string' || name.trim() === '') {
    problems.push(
      error(at('name'), 'function.name must be a string. The model calls the tool by this name.'),
    );
  } else if (others.includes(name)) {
    problems.push(error(at('name'), `A tool named ${name} already exists.`));
  } else if (!/^[\w-]{1,64}$/.test(name)) {
    const message = 'Most gateways allow up to 64 letters, digits, _ and - in a name.';
    problems.push({ path: at('name'), message, severity: 'warning' });
  }
  if (description !== undefined && typeof description !== 'string') {
    problems.push(error(at('description'), 'function.description must be a string.'));
  }
  if (parameters !== undefined) problems.push(...parameterProblems(parameters));
  return problems;
}

function parameterProblems(parameters: JsonValue): ValueProblem[] {
  const path = ['function', 'parameters'];
  if (!isJsonObject(parameters))
    return [error(path, 'function.parameters must be a JSON schema object.')];
  const problems: ValueProblem[] = schemaProblems(parameters, path);
  if (Object.keys(parameters).length > 0 && parameters.type !== 'object') {
    const message = 'Most gateways require "type": "object" here.';
    problems.push({ path, message, severity: 'warning' });
  }
  return problems;
}

function error(path: ValueProblem['path'], message: string): ValueProblem {
  return { path, message, severity: 'error' };
}
