import type { FieldError } from '../../../shared/errors.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './completion.module.css';

interface PromptFormProps {
  prompt: string;
  suffix: string;
  errors: readonly FieldError[];
  onPrompt: (prompt: string) => void;
  onSuffix: (suffix: string) => void;
}

export function PromptForm({ prompt, suffix, errors, onPrompt, onSuffix }: PromptFormProps) {
  return (
    <div className={styles.form}>
      <TextArea
        label="Prompt"
        className={styles.prompt}
        value={prompt}
        onValueChange={onPrompt}
        error={fieldMessage(errors, 'prompt')}
        placeholder="The text to continue"
        autoGrow
        rows={3}
        maxRows={12}
      />
      <TextArea
        label="Suffix"
        className={styles.suffix}
        value={suffix}
        onValueChange={onSuffix}
        error={fieldMessage(errors, 'suffix')}
        placeholder="What should follow the continuation, if anything"
        autoGrow
        rows={1}
        maxRows={6}
      />
    </div>
  );
}
