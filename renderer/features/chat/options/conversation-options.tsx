import { lazy, Suspense, useState } from 'react';
import type {
  ConversationOptions as Options,
  ToolChoice,
} from '../../../../shared/conversation-options.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import styles from './conversation-options.module.css';
import { choiceProblem, toolsOn } from './request-options.ts';
import { ResponseFormatPicker } from './response-format-picker.tsx';

const ToolsDialog = lazy(async () => ({
  default: (await import('./tools-dialog.tsx')).ToolsDialog,
}));

interface ConversationOptionsProps {
  options: Options;
  tools: readonly SavedTool[];
  onChange: (change: Partial<Options>) => void;
}

/** What goes along with the messages of this conversation: above the parameters that all share. */
export function ConversationOptions({ options, tools, onChange }: ConversationOptionsProps) {
  const [editing, setEditing] = useState(false);
  const on = toolsOn(options.toolIds, tools);
  return (
    <section className={styles.options} aria-label="This conversation">
      <h2 className={styles.title}>This conversation</h2>
      <div className={styles.row}>
        <span className={styles.label}>Tools</span>
        <span className={styles.value}>
          {on.length === 0 ? 'none on' : on.map(({ tool }) => tool.function.name).join(', ')}
        </span>
        <Button size="small" onClick={() => setEditing(true)}>
          Tools
        </Button>
      </div>
      {on.length > 0 && (
        <ToolChoicePicker
          choice={options.toolChoice}
          names={on.map(({ tool }) => tool.function.name)}
          problem={choiceProblem(options, tools)}
          onChange={(toolChoice) => onChange({ toolChoice })}
        />
      )}
      <ResponseFormatPicker
        responseFormat={options.responseFormat}
        onChange={(responseFormat) => onChange({ responseFormat })}
      />
      <Switch
        label="Send earlier reasoning"
        checked={options.sendReasoning}
        onCheckedChange={(sendReasoning) => onChange({ sendReasoning })}
      />
      {editing && (
        <Suspense>
          <ToolsDialog
            tools={tools}
            toolIds={options.toolIds}
            onToolIds={(toolIds) => onChange({ toolIds })}
            onClose={() => setEditing(false)}
          />
        </Suspense>
      )}
    </section>
  );
}

interface ToolChoicePickerProps {
  choice: ToolChoice | null;
  /** The tools that are on. */
  names: readonly string[];
  problem: string | null;
  onChange: (choice: ToolChoice | null) => void;
}

const WORDS = ['none', 'auto', 'required'] as const;
const BY_NAME = 'function ';

function ToolChoicePicker({ choice, names, problem, onChange }: ToolChoicePickerProps) {
  const value = choice === null ? '' : typeof choice === 'string' ? choice : BY_NAME + choice.name;
  // A tool that was switched off stays to be seen until another choice is made.
  const named = typeof choice === 'object' && choice !== null ? [choice.name] : [];
  return (
    <Select
      label="Tool choice"
      value={value}
      error={problem}
      options={[
        { value: '', label: 'Not sent' },
        ...WORDS.map((word) => ({ value: word, label: word })),
        ...[...new Set([...names, ...named])].map((name) => ({
          value: BY_NAME + name,
          label: `Only ${name}`,
        })),
      ]}
      onValueChange={(next) => {
        const word = WORDS.find((candidate) => candidate === next);
        if (next === '') onChange(null);
        else onChange(word ?? { name: next.slice(BY_NAME.length) });
      }}
    />
  );
}
