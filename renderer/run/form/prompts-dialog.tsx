import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { SavedPrompt } from '../../../shared/saved-items.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { focusRow, useRovingList } from '../../ui/roving-list.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import type { Form } from './form.ts';
import { changePanelText, getPanelText } from './panel-text.ts';
import styles from './presets-dialog.module.css';
import { fillPrompt, getVariables, MAX_ROWS, readPromptRows } from './prompt-values.ts';
import { removeItem, saveItem } from './save-item.tsx';
import { useTextFiles } from './use-text-files.ts';

interface PromptsDialogProps {
  form: Form<OperationName>;
  /** Compares several prompts as rows; undefined if the panel compares a single input. */
  onRows: ((prompts: string[]) => void) | undefined;
  onClose: () => void;
}

const undoPlace = 'prompts';
const none: readonly SavedPrompt[] = [];

export function PromptsDialog({ form, onRows, onClose }: PromptsDialogProps) {
  const [filling, setFilling] = useState<SavedPrompt | null>(null);
  function insert(name: string, text: string) {
    changePanelText(form, text, { message: `“${name}” inserted` });
    onClose();
  }
  return filling === null ? (
    <Dialog open title="Prompts" onClose={onClose}>
      <PromptList
        form={form}
        onChoose={(prompt) => {
          if (getVariables(prompt.text).length > 0) setFilling(prompt);
          else insert(prompt.name, prompt.text);
        }}
      />
    </Dialog>
  ) : (
    <FillDialog
      prompt={filling}
      onInsert={(text) => insert(filling.name, text)}
      onRows={
        onRows &&
        ((prompts) => {
          onRows(prompts);
          onClose();
        })
      }
      onBack={() => setFilling(null)}
      onClose={onClose}
    />
  );
}

interface PromptListProps {
  form: Form<OperationName>;
  onChoose: (prompt: SavedPrompt) => void;
}

function PromptList({ form, onChoose }: PromptListProps) {
  const list = useQuery(orpc.saved.prompts.list.queryOptions());
  const prompts = list.data ?? none;
  const { attempt, error, busy } = useAttempt();
  const [name, setName] = useState('');
  const [text, setText] = useState(() => getPanelText(form));
  const existing = prompts.find((prompt) => prompt.name === name.trim());
  const problem = error ?? (list.error && toAppError(list.error));
  const roving = useRovingList({
    name: undoPlace,
    keys: prompts.map(({ id }) => id),
    currentKey: null,
    getItemText: (index) => prompts[index]?.name ?? '',
  });

  function save(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '' || text.trim() === '' || busy) return;
    void attempt(async () => {
      await saveItem(api.saved.prompts, { name: name.trim(), text }, existing, undoPlace);
      setName('');
    });
  }

  function remove(prompt: SavedPrompt) {
    void attempt(() =>
      removeItem(prompt, {
        place: undoPlace,
        words: '# prompts deleted',
        onUndone: () => focusRow(undoPlace, prompt.id),
      }),
    );
  }

  const missing =
    name.trim() === '' ? 'Enter a name.' : text.trim() === '' ? 'Enter a text.' : null;
  return (
    <div className="stack-12">
      {prompts.length === 0 && list.data !== undefined && <p className="hint">No prompts yet</p>}
      {prompts.length > 0 && (
        <ul aria-label="Prompts" {...roving.listProps}>
          {prompts.map((prompt, index) => (
            <li key={prompt.id} data-row={prompt.id} className={styles.row}>
              <button
                type="button"
                tabIndex={roving.getTabIndex(index)}
                className={styles.apply}
                aria-description={prompt.text}
                onClick={() => onChoose(prompt)}
              >
                {prompt.name}
                <span className={styles.excerpt}>{prompt.text}</span>
              </button>
              <Button
                size="small"
                variant="quiet"
                tabIndex={-1}
                aria-label={`Edit ${prompt.name}`}
                onClick={() => {
                  setName(prompt.name);
                  setText(prompt.text);
                }}
              >
                Edit
              </Button>
              <IconButton
                label={`Delete ${prompt.name}`}
                size="small"
                tabIndex={-1}
                icon={<TrashIcon size={14} />}
                onClick={() => remove(prompt)}
              />
            </li>
          ))}
        </ul>
      )}
      <UndoBars place={undoPlace} />
      {problem !== null && <ErrorAlert error={problem} compact />}
      <form className="stack-8" noValidate onSubmit={save}>
        <TextArea
          label="Text"
          value={text}
          onValueChange={setText}
          help="{{name}} stands for a variable that you fill in when you use the prompt."
          autoGrow
          rows={3}
          maxRows={10}
        />
        <div className={styles.save}>
          <TextField
            label="Save as"
            className={styles.name}
            placeholder="Prompt name"
            maxLength={80}
            value={name}
            onValueChange={setName}
          />
          <Button type="submit" variant="primary" busy={busy} disabledReason={missing}>
            {existing !== undefined ? 'Replace' : 'Save'}
          </Button>
        </div>
      </form>
    </div>
  );
}

interface FillDialogProps {
  prompt: SavedPrompt;
  onInsert: (text: string) => void;
  onRows: ((prompts: string[]) => void) | undefined;
  onBack: () => void;
  onClose: () => void;
}

function FillDialog({ prompt, onInsert, onRows, onBack, onClose }: FillDialogProps) {
  const variables = getVariables(prompt.text);
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [table, setTable] = useState('');
  const files = useTextFiles({ megabytes: 4 }, (_name, text) => {
    setTable(text);
    return null;
  });
  const read = readPromptRows(table, variables);
  const empty = variables.find((name) => (values.get(name) ?? '') === '');
  const isTable = table.trim() !== '';
  return (
    <Dialog
      open
      title={`Fill in “${prompt.name}”`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onBack}>Back</Button>
          {isTable && onRows !== undefined ? (
            <Button
              variant="primary"
              disabledReason={read.ok ? null : read.message}
              onClick={() => {
                if (read.ok) onRows(read.rows.map((row) => fillPrompt(prompt.text, row)));
              }}
            >
              {read.ok ? `Compare ${pluralize(read.rows.length, 'row')}` : 'Compare rows'}
            </Button>
          ) : (
            <Button
              variant="primary"
              disabledReason={empty === undefined ? null : `Enter a value for “${empty}”.`}
              onClick={() => onInsert(fillPrompt(prompt.text, values))}
            >
              Insert
            </Button>
          )}
        </>
      }
    >
      <div className="stack-12">
        {variables.map((name) => (
          <TextArea
            key={name}
            label={name}
            value={values.get(name) ?? ''}
            onValueChange={(value) => setValues(new Map(values).set(name, value))}
            autoGrow
            rows={1}
            maxRows={8}
          />
        ))}
        {onRows !== undefined && (
          <>
            <TextArea
              label="Or a row for each prompt"
              value={table}
              onValueChange={setTable}
              help={`CSV with a header, or a JSON object per line. Up to ${MAX_ROWS} rows are compared.`}
              placeholder={`${variables.join(',')}\n…`}
              error={isTable && !read.ok ? read.message : files.problem}
              monospace
              autoGrow
              rows={3}
              maxRows={10}
            />
            <div>
              <FileButton
                size="small"
                inputLabel="File with rows"
                accept=".csv,.tsv,.jsonl,.ndjson,.json,text/csv"
                onFiles={files.add}
              >
                Choose file…
              </FileButton>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
