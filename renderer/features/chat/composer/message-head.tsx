import type { Role } from '../../../../shared/operations/chat/message.ts';
import { useForm, useIsLoaded } from '../../../run/form/use-form.ts';
import { Select } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { chatLabels } from '../conversation/chat-labels.ts';
import { type ComposerForm, writeHead } from '../conversation/composer-form.ts';
import { AssistantFields } from './assistant-fields.tsx';
import styles from './composer.module.css';

const ROLES: readonly Role[] = ['user', 'system', 'developer', 'assistant', 'tool'];

interface HeadFieldsProps {
  form: ComposerForm;
  /** The unanswered tool call that the form suggests for the role `tool`. */
  openToolCallId: string | null;
}

/** Edits the message's role and name. */
export function HeadFields({ form, openToolCallId }: HeadFieldsProps) {
  const isLoaded = useIsLoaded(form);
  const role = useForm(form, ({ input }) => input.role);
  const name = useForm(form, ({ input }) => input.name);
  const toolCallId = useForm(form, ({ input }) => input.toolCallId);
  return (
    <>
      <Select
        label="Role"
        value={role}
        disabled={!isLoaded}
        options={ROLES.map((each) => ({ value: each, label: each }))}
        onValueChange={(value) => writeHead(form, { role: value })}
      />
      {role === 'tool' && (
        <TextField
          label={chatLabels.toolCallId}
          readOnly={!isLoaded}
          monospace
          value={toolCallId || (openToolCallId ?? '')}
          onValueChange={(value) => writeHead(form, { toolCallId: value })}
        />
      )}
      <TextField
        label={chatLabels.name}
        placeholder="Optional"
        readOnly={!isLoaded}
        value={name}
        onValueChange={(value) => writeHead(form, { name: value })}
      />
    </>
  );
}

export function WrittenAnswer({ form }: { form: ComposerForm }) {
  const isLoaded = useIsLoaded(form);
  const role = useForm(form, ({ input }) => input.role);
  const reasoning = useForm(form, ({ input }) => input.reasoning);
  const toolCalls = useForm(form, ({ input }) => input.toolCalls);
  if (role !== 'assistant') return null;
  return (
    <div className={styles.written}>
      <AssistantFields
        value={{ reasoning, toolCalls }}
        showsMissing={false}
        readOnly={!isLoaded}
        onChange={(change) => writeHead(form, change)}
      />
    </div>
  );
}
