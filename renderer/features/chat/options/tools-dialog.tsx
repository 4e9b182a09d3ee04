import { useState } from 'react';
import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { toolsForm } from '../../../run/form/panel-forms.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { EditIcon, PlusIcon, TrashIcon } from '../../../ui/icons/actions.tsx';
import { useRovingList } from '../../../ui/roving-list.ts';
import { Switch } from '../../../ui/switch.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { useComposerLoaded } from '../composer/composer-form.ts';
import { draftNames, dropDraft, useHasDraft } from '../edit-drafts.ts';
import styles from './conversation-options.module.css';
import { ToolEditor } from './tool-editor.tsx';
import { toolsPlace, useToolSaving } from './use-tool-saving.ts';

interface ToolsDialogProps {
  tools: readonly SavedTool[];
  /** Those that are on in this conversation. */
  toolIds: readonly string[];
  onToolIds: (toolIds: string[]) => void;
  onClose: () => void;
}

/** All saved tools, switched on per conversation, written and changed in place. */
export function ToolsDialog({ tools, toolIds, onToolIds, onClose }: ToolsDialogProps) {
  const [editing, setEditing] = useState<SavedTool | 'new' | null>(null);
  const saving = useToolSaving();
  const roving = useRovingList({
    keys: tools.map(({ id }) => id),
    currentKey: null,
    textOf: (index) => tools[index]?.tool.function.name ?? '',
  });
  useComposerLoaded(toolsForm);
  const namesBeside = (id: string | null) =>
    tools.filter((other) => other.id !== id).map(({ tool }) => tool.function.name);

  function save(id: string | null, tool: Tool) {
    void saving.save(id, tool, (saved) => {
      dropDraft(toolsForm, draftNames.tool(id));
      // Who writes a tool here wants to use it here.
      if (id === null) onToolIds([...toolIds, saved.id]);
      setEditing(null);
    });
  }

  if (editing !== null) {
    const saved = editing === 'new' ? null : editing;
    return (
      <Dialog
        open
        key={saved?.id ?? 'new'}
        title={saved === null ? 'New tool' : `Edit ${saved.tool.function.name}`}
        size="large"
        onClose={() => setEditing(null)}
      >
        <ToolEditor
          saved={saved}
          otherNames={namesBeside(saved?.id ?? null)}
          error={saving.error}
          busy={saving.busy}
          onSave={(tool) => save(saved?.id ?? null, tool)}
          onCancel={() => setEditing(null)}
        />
      </Dialog>
    );
  }
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
      <UndoBars place={toolsPlace} className={styles.undo} />
    </Dialog>
  );
}

interface ToolRowProps {
  saved: SavedTool;
  /** Of its switch; the arrow keys lead from there to the others. */
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
