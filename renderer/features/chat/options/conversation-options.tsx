import { lazy, Suspense, useState } from 'react';
import type { ConversationOptions as Options } from '../../../../shared/conversation-options.ts';
import type { SavedTool } from '../../../../shared/tool.ts';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/switch.tsx';
import styles from './conversation-options.module.css';
import { choiceProblem, toolsOn } from './request-options.ts';
import { ResponseFormatPicker } from './response-format-picker.tsx';
import { ToolChoicePicker } from './tool-choice-picker.tsx';

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
