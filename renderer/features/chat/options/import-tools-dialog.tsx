import { useDeferredValue, useMemo, useState } from 'react';
import { readTools } from '../../../../shared/pasted/read-tools.ts';
import type { SavedTool } from '../../../../shared/saved-items.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { useAttempt } from '../../../lib/use-attempt.ts';
import { useTextFiles } from '../../../run/form/use-text-files.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { useRovingList } from '../../../ui/roving-list.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import styles from './conversation-options.module.css';
import { type ImportedTool, importTool, type PlannedTool, planImport } from './import-tools.ts';

interface ImportToolsDialogProps {
  tools: readonly SavedTool[];
  /** Called with the tools that were saved, even if a later one failed. */
  onImported: (imported: ImportedTool[]) => void;
  onClose: () => void;
}

/** Imports tools from a list or a request after the user reviews what is new or changed. */
export function ImportToolsDialog({ tools, onImported, onClose }: ImportToolsDialogProps) {
  const [text, setText] = useState('');
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const importing = useAttempt();
  const files = useTextFiles({ megabytes: 4 }, (_, content) => {
    change(content);
    return null;
  });
  const readText = useDeferredValue(text);
  const result = useMemo(() => (readText.trim() === '' ? null : readTools(readText)), [readText]);
  const planned = useMemo(
    () => (result?.kind === 'tools' ? planImport(result.tools, tools) : []),
    [result, tools],
  );
  const chosen = planned.filter(({ state, name }) => state !== 'invalid' && !excluded.has(name));

  function change(changed: string): void {
    setText(changed);
    setExcluded(new Set());
    files.clearProblem();
  }

  async function save() {
    const imported: ImportedTool[] = [];
    const isDone = await importing.attempt(async () => {
      for (const one of chosen) {
        const saved = await importTool(one);
        if (saved !== null) imported.push(saved);
      }
    });
    if (imported.length > 0) onImported(imported);
    if (isDone) onClose();
  }

  const hasInvalid = planned.some(({ state }) => state === 'invalid');
  const disabledReason =
    planned.length === 0
      ? 'Paste or choose tools first.'
      : hasInvalid && planned.every(({ state }) => state === 'invalid')
        ? 'None of these tools can be imported.'
        : 'Choose a tool.';
  return (
    <FormDialog
      title="Import tools"
      size="wide"
      saveLabel={chosen.length === 0 ? 'Import' : `Import ${pluralize(chosen.length, 'tool')}`}
      isChanged={text.trim() !== ''}
      disabledReason={chosen.length === 0 ? disabledReason : null}
      busy={importing.busy}
      error={importing.error}
      onSave={() => void save()}
      onClose={onClose}
    >
      <div className="row-8">
        <span className="grow hint">
          A list of tools as in Chat Completions, Responses, Messages, Gemini or MCP, or a whole
          request, also as curl.
        </span>
        <FileButton
          size="small"
          inputLabel="File with tools"
          accept="application/json,.json,.txt,.sh"
          onFiles={files.add}
        >
          Choose file…
        </FileButton>
      </div>
      <TextArea
        label="Tools"
        data-initial-focus
        monospace
        rows={8}
        maxRows={12}
        value={text}
        onValueChange={change}
        placeholder={'[{ "type": "function", "function": { "name": … } }]'}
        error={files.problem ?? (result?.kind === 'problem' ? result.message : null)}
      />
      {planned.length > 0 && (
        <PlannedTools
          planned={planned}
          excluded={excluded}
          onExcluded={(name, isExcluded) => {
            const others = [...excluded].filter((other) => other !== name);
            setExcluded(new Set(isExcluded ? [...others, name] : others));
          }}
        />
      )}
    </FormDialog>
  );
}

interface PlannedToolsProps {
  planned: readonly PlannedTool[];
  excluded: ReadonlySet<string>;
  onExcluded: (name: string, isExcluded: boolean) => void;
}

function PlannedTools({ planned, excluded, onExcluded }: PlannedToolsProps) {
  const valid = planned.filter((one) => one.state !== 'invalid');
  const invalid = planned.filter((one) => one.state === 'invalid');
  const roving = useRovingList({
    keys: valid.map(({ name }) => name),
    currentKey: null,
    getItemText: (index) => valid[index]?.name ?? '',
  });
  return (
    <>
      <ul aria-label="Tools to import" {...roving.listProps}>
        {valid.map(({ name, state, tool }, index) => (
          <li key={name} className={styles.tool} data-row={name}>
            <Checkbox
              className={styles.imported}
              tabIndex={roving.getTabIndex(index)}
              checked={!excluded.has(name)}
              onCheckedChange={(checked) => onExcluded(name, !checked)}
            >
              <span className={styles.toolText}>
                <code>{name}</code>
                <span className="caption truncate">{tool.function.description}</span>
              </span>
            </Checkbox>
            <span className="fixed hint">{STATES[state]}</span>
          </li>
        ))}
      </ul>
      {invalid.length > 0 && (
        <ul aria-label="Tools that can’t be imported" className="stack-4">
          {invalid.map(({ name, problem }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: tools may have the same name.
            <li key={index} className="caption">
              Skipped <code>{name}</code>: {problem}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const STATES = {
  new: 'New',
  same: 'Already saved',
  changed: 'Replaces the saved definition',
} as const;
