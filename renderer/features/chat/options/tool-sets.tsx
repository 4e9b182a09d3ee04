import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConversationOptions } from '../../../../shared/conversation.ts';
import type { SavedTool, ToolSet } from '../../../../shared/saved-items.ts';
import { api, orpc } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format-quantity.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { useAttempt } from '../../../lib/use-attempt.ts';
import { removeItem, SaveItemDialog } from '../../../run/form/save-item.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { CheckIcon, ChevronDownIcon } from '../../../ui/icons/status.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
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
  const list = useQuery(orpc.saved.toolSets.list.queryOptions());
  const sets = list.data ?? noSets;
  const removing = useAttempt();
  const [isNaming, setNaming] = useState(false);
  const on = savedTools.filter(({ id }) => chosen.toolIds.includes(id));
  const names = [
    ...on.map(({ tool }) => tool.function.name),
    ...chosen.mcpTools.map(({ name }) => name),
  ];

  function choose(set: ToolSet) {
    const { toolIds, missing } = findTools(set, savedTools);
    onChoose({ toolIds, mcpTools: set.mcpTools });
    const deleted = new Intl.ListFormat('en-US').format(missing);
    const note = missing.length === 0 ? '' : `. Deleted since: ${deleted}`;
    offerUndo({
      message: `“${set.name}” turned on${note}`,
      place,
      undo: () => onChoose(chosen),
    });
  }

  function remove(set: ToolSet) {
    void removing.attempt(() => removeItem(set, { place, words: '# tool sets deleted' }));
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
      disabled: names.length === 0,
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
        <SaveItemDialog
          what="tool set"
          items={api.saved.toolSets}
          saved={sets}
          createItem={(name) => ({
            name,
            tools: on.map(({ id, tool }) => ({ id, name: tool.function.name })),
            mcpTools: chosen.mcpTools,
          })}
          place={place}
          onClose={() => setNaming(false)}
        >
          <p className="caption">Tools: {new Intl.ListFormat('en-US').format(names)}</p>
        </SaveItemDialog>
      )}
    </>
  );
}

const noSets: readonly ToolSet[] = [];

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
