import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConversationOptions } from '../../../../shared/conversation.ts';
import { MAX_NAME_LENGTH, type SavedTool, type ToolSet } from '../../../../shared/saved-items.ts';
import { api, orpc } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format-quantity.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { useAttempt } from '../../../lib/use-attempt.ts';
import { offerUndoOfReplacement } from '../../../run/form/change-with-undo.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { CheckIcon, ChevronDownIcon } from '../../../ui/icons/status.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import styles from './conversation-options.module.css';

type ChosenTools = Pick<ConversationOptions, 'toolIds' | 'mcpTools'>;

interface ToolSetsProps {
  savedTools: readonly SavedTool[];
  chosen: ChosenTools;
  onChoose: (chosen: ChosenTools) => void;
  /** Identifies the `UndoBars` that show Undo offers. */
  place: string;
}

/** Turns the tools of a saved set on and all others off, and saves the tools that are on. */
export function ToolSets({ savedTools, chosen, onChoose, place }: ToolSetsProps) {
  const list = useQuery(orpc.toolSets.list.queryOptions());
  const sets = list.data ?? noSets;
  const removing = useAttempt();
  const [isNaming, setNaming] = useState(false);
  const on = savedTools.filter(({ id }) => chosen.toolIds.includes(id));
  const isEmpty = on.length + chosen.mcpTools.length === 0;

  function choose(set: ToolSet) {
    const { toolIds, missing } = findTools(set, savedTools);
    onChoose({ toolIds, mcpTools: set.mcpTools });
    const names = new Intl.ListFormat('en-US').format(missing);
    const note = missing.length === 0 ? '' : `. Deleted since: ${names}`;
    offerUndo({
      message: `“${set.name}” turned on${note}`,
      place,
      undo: () => onChoose(chosen),
    });
  }

  function remove({ id, name }: ToolSet) {
    void removing.attempt(async () => {
      const { deletionId } = await api.toolSets.remove({ id });
      if (deletionId === null) return;
      offerUndo({
        message: `“${name}” deleted`,
        several: { words: '# tool sets deleted' },
        place,
        undo: deletionId,
      });
    });
  }

  const items: MenuEntry[] = [
    ...sets.map((set) => ({
      id: set.id,
      label: `${set.name} (${formatCount(set.tools.length + set.mcpTools.length)})`,
      icon: isChosen(set, savedTools, chosen) ? (
        <CheckIcon size={14} />
      ) : (
        <span className={styles.unchecked} />
      ),
      onSelect: () => choose(set),
    })),
    ...(sets.length > 0 ? ['separator' as const] : []),
    {
      id: 'save',
      label: 'Save these as a set…',
      disabled: isEmpty,
      onSelect: () => setNaming(true),
    },
    ...(sets.length > 0
      ? [
          {
            id: 'delete',
            label: 'Delete a set',
            items: sets.map((set) => ({
              id: set.id,
              label: set.name,
              danger: true,
              onSelect: () => remove(set),
            })),
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu
        label="Tool sets"
        size="small"
        align="start"
        items={items}
        trigger={
          <>
            Tool sets <ChevronDownIcon size={12} />
          </>
        }
      />
      {removing.error !== null && <ErrorAlert compact error={removing.error} />}
      {isNaming && (
        <NameDialog
          sets={sets}
          tools={on.map(({ id, tool }) => ({ id, name: tool.function.name }))}
          mcpTools={chosen.mcpTools}
          place={place}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

const noSets: readonly ToolSet[] = [];

interface NameDialogProps extends Pick<ToolSet, 'tools' | 'mcpTools'> {
  sets: readonly ToolSet[];
  place: string;
  onClose: () => void;
}

function NameDialog({ sets, tools, mcpTools, place, onClose }: NameDialogProps) {
  const [name, setName] = useState('');
  const saving = useAttempt();
  const existing = sets.find((set) => set.name === name.trim());

  async function save() {
    const isSaved = await saving.attempt(async () => {
      const { id: _, ...after } = await api.toolSets.save({ name: name.trim(), tools, mcpTools });
      if (existing === undefined) {
        offerUndo({ message: `“${after.name}” saved`, place, undo: null });
        return;
      }
      const { id, ...before } = existing;
      offerUndoOfReplacement(`“${after.name}” replaced`, {
        before,
        after,
        read: async () => {
          const now = (await api.toolSets.list()).find((set) => set.id === id);
          return now === undefined ? null : { ...before, tools: now.tools, mcpTools: now.mcpTools };
        },
        write: (set) => api.toolSets.save(set),
        place,
      });
    });
    if (isSaved) onClose();
  }

  const listed = [...tools, ...mcpTools].map((tool) => tool.name);
  return (
    <FormDialog
      title="Save tool set"
      size="small"
      saveLabel={existing === undefined ? 'Save' : 'Replace'}
      disabledReason={name.trim() === '' ? 'Enter a name.' : null}
      busy={saving.busy}
      error={saving.error}
      onSave={() => void save()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        maxLength={MAX_NAME_LENGTH}
        value={name}
        onValueChange={setName}
        help={existing === undefined ? undefined : 'Replaces the set with this name.'}
      />
      <p className="caption">Tools: {new Intl.ListFormat('en-US').format(listed)}</p>
    </FormDialog>
  );
}

/** Matches deleted tools by name, for example after an import. */
function findTools(
  { tools }: ToolSet,
  savedTools: readonly SavedTool[],
): { toolIds: string[]; missing: string[] } {
  const found = tools.map(({ id, name }) => ({
    name,
    saved:
      savedTools.find((one) => one.id === id) ??
      savedTools.find(({ tool }) => tool.function.name === name),
  }));
  return {
    toolIds: [...new Set(found.flatMap(({ saved }) => saved?.id ?? []))],
    missing: found.flatMap(({ saved, name }) => (saved === undefined ? [name] : [])),
  };
}

function isChosen(set: ToolSet, savedTools: readonly SavedTool[], chosen: ChosenTools): boolean {
  const key = ({ toolIds, mcpTools }: ChosenTools) =>
    [
      ...savedTools.flatMap(({ id }) => (toolIds.includes(id) ? [id] : [])),
      ...mcpTools.map(({ serverId, name }) => `${serverId} ${name}`),
    ]
      .toSorted()
      .join('\n');
  const { toolIds } = findTools(set, savedTools);
  return key({ toolIds, mcpTools: set.mcpTools }) === key(chosen);
}
