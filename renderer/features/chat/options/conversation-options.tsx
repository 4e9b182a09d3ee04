import type {
  ConversationOptions as Options,
  ToolChoice,
} from '../../../../shared/conversation-options.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { openEditor } from '../chat-store.ts';
import styles from './conversation-options.module.css';
import { choiceProblem, optionFields, toolsOn } from './request-options.ts';
import { ResponseFormatPicker } from './response-format-picker.tsx';

interface ConversationOptionsProps {
  options: Options;
  tools: readonly SavedTool[];
  onChange: (change: Partial<Options>) => void;
}

/** What is sent with the messages of this conversation: above the parameters that all share. */
export function ConversationOptions({ options, tools, onChange }: ConversationOptionsProps) {
  const on = toolsOn(options.toolIds, tools);
  return (
    <section className={styles.options} aria-label="This conversation">
      <h2 className={styles.title}>This conversation</h2>
      <div className={styles.row}>
        <span className={styles.label}>Tools</span>
        <span className={styles.value}>
          {on.length === 0 ? 'None' : on.map(({ tool }) => tool.function.name).join(', ')}
        </span>
        <Button size="small" onClick={() => openEditor('tools')}>
          Tools
        </Button>
      </div>
      {on.length > 0 && (
        <div data-field={optionFields.toolChoice}>
          <ToolChoicePicker
            choice={options.toolChoice}
            names={on.map(({ tool }) => tool.function.name)}
            problem={choiceProblem(options, tools)}
            onChange={(toolChoice) => onChange({ toolChoice })}
          />
        </div>
      )}
      <ResponseFormatPicker
        responseFormat={options.responseFormat}
        onChange={(responseFormat) => onChange({ responseFormat })}
      />
      <div data-field={optionFields.sendReasoning}>
        <Switch
          label="Include previous reasoning"
          checked={options.sendReasoning}
          onCheckedChange={(sendReasoning) => onChange({ sendReasoning })}
        />
      </div>
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
        { value: '', label: 'Not set' },
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
