import { useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { JsonValue } from '../../../../shared/json.ts';
import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';
import { api, orpc } from '../../../lib/api.ts';
import { optimisticUpdate } from '../../../lib/query-client.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { useAttempt } from '../../../lib/use-attempt.ts';
import { FormProblem } from '../../../run/form/form-problem.tsx';
import { toolsForm } from '../../../run/form/panel-forms.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { EditIcon, PlusIcon, TrashIcon } from '../../../ui/icons/actions.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { readJson } from '../../../ui/json-editor/json-problems.ts';
import { useRovingList } from '../../../ui/roving-list.ts';
import { Switch } from '../../../ui/switch.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { useComposerLoaded } from '../composer/composer-form.ts';
import { DraftNote, draftNames, dropDraft, useHasDraft, useTextDraft } from '../edit-drafts.tsx';
import { checkTool, toolSchemaKeywords } from './check-definitions.ts';
import styles from './conversation-options.module.css';
import { newTool } from './option-examples.ts';

interface ToolsDialogProps {
  tools: readonly SavedTool[];
  /** Lists the tools that are on in the conversation. */
  toolIds: readonly string[];
  onToolIds: (toolIds: string[]) => void;
  onClose: () => void;
}

export function ToolsDialog({ tools, toolIds, onToolIds, onClose }: ToolsDialogProps) {
  const [editing, setEditing] = useState<SavedTool | 'new' | null>(null);
  const saving = useToolSaving();
  const roving = useRovingList({
    keys: tools.map(({ id }) => id),
    currentKey: null,
    textOf: (index) => tools[index]?.tool.function.name ?? '',
  });
  useComposerLoaded(toolsForm);
  const getOtherNames = (id: string | null) =>
    tools.filter((other) => other.id !== id).map(({ tool }) => tool.function.name);

  function save(id: string | null, tool: Tool) {
    void saving.save(id, tool, (saved) => {
      dropDraft(toolsForm, draftNames.tool(id));
      // Turn on a new tool in the conversation where the user created the tool.
      if (id === null) onToolIds([...toolIds, saved.id]);
      setEditing(null);
    });
  }

  const edited = editing === 'new' ? null : editing;
  return (
    <Dialog
      open
      title="Tools"
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button icon={<PlusIcon />} onClick={() => setEditing('new')}>
            New tool
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {saving.error !== null && <ErrorAlert error={saving.error} compact />}
      {tools.length === 0 && (
        <p className={styles.note}>
          No tools yet. A tool is a function the model can call; you enter its results yourself.
        </p>
      )}
      <ul className={styles.tools} aria-label="Saved tools" {...roving.listProps}>
        {tools.map((saved, index) => (
          <ToolRow
            key={saved.id}
            saved={saved}
            tabIndex={roving.tabIndexOf(index)}
            isOn={toolIds.includes(saved.id)}
            onSwitch={(isOn) =>
              onToolIds(
                isOn ? [...toolIds, saved.id] : toolIds.filter((other) => other !== saved.id),
              )
            }
            onEdit={() => setEditing(saved)}
            onDelete={() => void saving.remove(saved)}
          />
        ))}
      </ul>
      <UndoBars place={toolsUndoKey} className={styles.undo} />
      <Dialog
        open={editing !== null}
        title={edited === null ? 'New tool' : `Edit ${edited.tool.function.name}`}
        size="large"
        onClose={() => setEditing(null)}
      >
        <ToolEditor
          saved={edited}
          otherNames={getOtherNames(edited?.id ?? null)}
          error={saving.error}
          busy={saving.busy}
          onSave={(tool) => save(edited?.id ?? null, tool)}
          onCancel={() => setEditing(null)}
        />
      </Dialog>
    </Dialog>
  );
}

interface ToolRowProps {
  saved: SavedTool;
  tabIndex: 0 | -1;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
  onEdit: () => void;
  onDelete: () => void;
}

function ToolRow({ saved, tabIndex, isOn, onSwitch, onEdit, onDelete }: ToolRowProps) {
  const { name, description } = saved.tool.function;
  const hasDraft = useHasDraft(toolsForm, draftNames.tool(saved.id));
  return (
    <li className={styles.tool} data-row={saved.id}>
      <Switch
        label={`Use ${name}`}
        hideLabel
        tabIndex={tabIndex}
        checked={isOn}
        onCheckedChange={onSwitch}
      />
      <div className={styles.toolText}>
        <code>{name}</code>
        {description !== undefined && <p>{description}</p>}
      </div>
      {hasDraft && <span className={styles.draft}>Unsaved changes</span>}
      <IconButton label={`Edit ${name}`} tabIndex={-1} icon={<EditIcon />} onClick={onEdit} />
      <IconButton label={`Delete ${name}`} tabIndex={-1} icon={<TrashIcon />} onClick={onDelete} />
    </li>
  );
}

const toolsUndoKey = 'tools';

function useToolSaving() {
  const { busy, error, attempt } = useAttempt();
  return {
    busy,
    error,
    save: (id: string | null, tool: Tool, onSaved: (saved: SavedTool) => void) =>
      attempt(async () => {
        const saved = await api.tools.save({ id, tool });
        optimisticUpdate<SavedTool[]>(orpc.tools.list.key(), (tools) => insertTool(tools, saved));
        onSaved(saved);
      }),
    remove: ({ id, tool }: SavedTool) =>
      attempt(async () => {
        const { deletionId } = await api.tools.remove({ id });
        if (deletionId === null) return;
        offerUndo({
          message: `“${tool.function.name}” deleted`,
          several: { words: '# tools deleted' },
          place: toolsUndoKey,
          undo: deletionId,
        });
      }),
  };
}

/** Keeps the list sorted by name. */
function insertTool(tools: SavedTool[], saved: SavedTool): SavedTool[] {
  const others = tools.filter(({ id }) => id !== saved.id);
  const next = others.findIndex(({ tool }) => tool.function.name > saved.tool.function.name);
  return next < 0 ? [...others, saved] : others.toSpliced(next, 0, saved);
}

interface ToolEditorProps {
  /** `saved` is null for a new tool. */
  saved: SavedTool | null;
  otherNames: readonly string[];
  error: AppError | null;
  busy: boolean;
  onSave: (tool: Tool) => void;
  onCancel: () => void;
}

function ToolEditor({ saved, otherNames, error, busy, onSave, onCancel }: ToolEditorProps) {
  const draft = useTextDraft(
    toolsForm,
    draftNames.tool(saved?.id ?? null),
    JSON.stringify(saved?.tool ?? newTool(otherNames), null, 2),
  );
  const check = (value: JsonValue) => checkTool(value, otherNames);
  const read = readJson(draft.text, check);
  const save = () => {
    // `checkTool` accepts only values with the shape of a tool.
    if (read.ok && !busy) onSave(read.value as Tool);
  };
  return (
    <div className={styles.editor}>
      <p className={styles.note}>
        Sent exactly as written. parameters must be a JSON Schema. Press Ctrl+Space for suggestions.
      </p>
      <FormProblem form={toolsForm} />
      <DraftNote undoKey={draft.undoKey} restored={draft.restored} onDiscard={draft.discard} />
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
