import { useState } from 'react';
import type { Tool } from '../../../../shared/operations/chat/message.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';
import type { ToolAnswer } from '../../../../shared/tool-answer.ts';
import { api, orpc } from '../../../lib/api.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { updateOptimistically } from '../../../lib/query-client.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { useAttempt } from '../../../lib/use-attempt.ts';
import { saveBlob } from '../../../media/players/download-button.tsx';
import { toolsForm } from '../../../run/form/panel-forms.ts';
import { removeItem } from '../../../run/form/save-item.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { EditIcon, PlusIcon, TrashIcon } from '../../../ui/icons/actions.tsx';
import { lazyDialog } from '../../../ui/lazy-component.tsx';
import { useRovingList } from '../../../ui/roving-list.ts';
import { Switch } from '../../../ui/switch.tsx';
import { UndoBars } from '../../../ui/undo-bars.tsx';
import { draftNames } from '../conversation/chat-labels.ts';
import { useComposerLoaded } from '../conversation/composer-form.ts';
import { dropDraft, useHasDraft } from '../conversation/edit-drafts.tsx';
import { useChatSession, useChatState } from '../session/chat-session.ts';
import { getActiveTools } from '../session/request-options.ts';
import { BuiltInTools } from './built-in-tools.tsx';
import styles from './conversation-options.module.css';
import { undoImport } from './import-tools.ts';
import { McpTools } from './mcp-tools.tsx';
import { describeToolAnswer } from './tool-answer-fields.tsx';
import { ToolDialog } from './tool-dialog.tsx';
import { ToolSets } from './tool-sets.tsx';
import { useFormat } from './use-options.ts';

const ImportToolsDialog = lazyDialog(
  'Import tools',
  async () => (await import('./import-tools-dialog.tsx')).ImportToolsDialog,
);

export function ToolsDialog({ onClose }: { onClose: () => void }) {
  const { changeOptions } = useChatSession();
  const { saved: tools, servers } = useChatState((chat) => chat.tools);
  const { toolIds, mcpTools, builtInTools } = useChatState((chat) => chat.options);
  const format = useFormat();
  const active = getActiveTools(toolIds, tools);
  const onToolIds = (changed: string[]) => void changeOptions({ toolIds: changed });
  const [editing, setEditing] = useState<SavedTool | 'new' | null>(null);
  const [isImporting, setImporting] = useState(false);
  const saving = useToolSaving();
  const roving = useRovingList({
    keys: tools.map(({ id }) => id),
    currentKey: null,
    getItemText: (index) => tools[index]?.tool.function.name ?? '',
  });
  useComposerLoaded(toolsForm);
  function save(id: string | null, tool: Tool, answer: ToolAnswer, onSaved: () => void) {
    void saving.save({ id, tool, answer }, (saved) => {
      dropDraft(toolsForm, draftNames.tool(id));
      onSaved();
      // Turn a new tool on in the conversation where the user created it.
      if (id === null) onToolIds([...toolIds, saved.id]);
      setEditing(null);
    });
  }

  const edited = editing === 'new' ? null : editing;
  const editedId = edited?.id ?? null;
  const otherNames = tools
    .filter(({ id }) => id !== editedId)
    .map(({ tool }) => tool.function.name);
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
      <div className={`wrap-8 ${styles.toolbar}`}>
        <ToolSets
          savedTools={tools}
          chosen={{ toolIds, mcpTools }}
          onChoose={(chosen) => void changeOptions(chosen)}
          place={toolsUndoKey}
        />
        <span className="grow" />
        <Button size="small" onClick={() => setImporting(true)}>
          Import…
        </Button>
        <Button
          size="small"
          disabledReason={tools.length === 0 ? 'No tools to export.' : null}
          onClick={() => exportTools(tools, toolIds)}
        >
          {active.length === 0 ? 'Export all' : `Export ${pluralize(active.length, 'tool')}`}
        </Button>
      </div>
      {saving.error !== null && <ErrorAlert error={saving.error} compact />}
      {tools.length === 0 && (
        <p className="caption">
          No tools yet. A tool is a function the model can call. You, a canned result or a
          JavaScript function answers it.
        </p>
      )}
      <ul aria-label="Saved tools" {...roving.listProps}>
        {tools.map((saved, index) => (
          <ToolRow
            key={saved.id}
            saved={saved}
            tabIndex={roving.getTabIndex(index)}
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
      <McpTools
        servers={servers}
        chosen={mcpTools}
        format={format}
        onChange={(changed) => void changeOptions({ mcpTools: changed })}
      />
      <BuiltInTools
        format={format}
        chosen={builtInTools}
        onChange={(changed) => void changeOptions({ builtInTools: changed })}
      />
      {isImporting && (
        <ImportToolsDialog
          tools={tools}
          onImported={(imported) => {
            const added = imported.map(({ after }) => after.id);
            onToolIds([...new Set([...toolIds, ...added])]);
            offerUndo({
              message: `${pluralize(imported.length, 'tool')} imported and turned on`,
              place: toolsUndoKey,
              undo: async () => {
                await undoImport(imported);
                await changeOptions({ toolIds: [...toolIds] });
              },
            });
          }}
          onClose={() => setImporting(false)}
        />
      )}
      {editing !== null && (
        <ToolDialog
          key={editedId}
          saved={edited}
          otherNames={otherNames}
          busy={saving.busy}
          error={saving.error}
          onSave={(tool, answer, onSaved) => save(editedId, tool, answer, onSaved)}
          onClose={() => setEditing(null)}
        />
      )}
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
  const answerer = describeToolAnswer(saved.answer);
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
        {description !== undefined && <p className="caption truncate">{description}</p>}
      </div>
      {answerer !== null && <span className="fixed hint">{answerer}</span>}
      {hasDraft && <span className={styles.notice}>Unsaved changes</span>}
      <IconButton label={`Edit ${name}`} tabIndex={-1} icon={<EditIcon />} onClick={onEdit} />
      <IconButton label={`Delete ${name}`} tabIndex={-1} icon={<TrashIcon />} onClick={onDelete} />
    </li>
  );
}

const toolsUndoKey = 'tools';

/** Saves the enabled tools, or all if none is enabled, as the `tools` of a request. */
function exportTools(tools: readonly SavedTool[], toolIds: readonly string[]): void {
  const active = getActiveTools(toolIds, tools);
  const list = (active.length === 0 ? tools : active).map(({ tool }) => tool);
  saveBlob(
    new Blob([`${JSON.stringify(list, null, 2)}\n`], { type: 'application/json' }),
    'gatehouse-tools.json',
  );
}

function useToolSaving() {
  const { busy, error, attempt } = useAttempt();
  return {
    busy,
    error,
    save: (
      input: Omit<SavedTool, 'id'> & { id: string | null },
      onSaved: (saved: SavedTool) => void,
    ) =>
      attempt(async () => {
        const saved = await api.saved.tools.save(input);
        updateOptimistically<SavedTool[]>(orpc.saved.tools.list.key(), (tools) =>
          insertTool(tools, saved),
        );
        onSaved(saved);
      }),
    remove: ({ id, tool }: SavedTool) =>
      attempt(() =>
        removeItem(
          { id, name: tool.function.name },
          { place: toolsUndoKey, words: '# tools deleted' },
        ),
      ),
  };
}

function insertTool(tools: SavedTool[], saved: SavedTool): SavedTool[] {
  const others = tools.filter(({ id }) => id !== saved.id);
  const next = others.findIndex(({ tool }) => tool.function.name > saved.tool.function.name);
  return next < 0 ? [...others, saved] : others.toSpliced(next, 0, saved);
}
