import type { RefObject } from 'react';
import type { Role } from '../../../../shared/operations/chat/message.ts';
import { useForm, useIsLoaded } from '../../../run/form/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { MoreIcon } from '../../../ui/icons/actions.tsx';
import { lazyComponent } from '../../../ui/lazy-component.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import styles from './composer.module.css';
import { type ComposerForm, writeHead } from './composer-form.ts';

const AssistantFields = lazyComponent(
  async () => (await import('./assistant-fields.tsx')).AssistantFields,
);

const ROLES: readonly Role[] = ['user', 'system', 'developer', 'assistant', 'tool'];

interface MoreOptionsProps {
  form: ComposerForm;
  /** The tool call that waits for its result, offered for the role `tool`. */
  openToolCallId: string | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Why nothing can be added now. */
  addReason: string | null;
  onAdd: () => void;
  /** Focused after adding. */
  returnTo: RefObject<HTMLElement | null>;
}

/** What is seldom changed about a message: who says it, and that it is added without a run. */
export function MoreOptions(props: MoreOptionsProps) {
  const { form, openToolCallId, open, onOpenChange, addReason, onAdd, returnTo } = props;
  return (
    <Popover
      label="More"
      icon={<MoreIcon />}
      open={open}
      onOpenChange={onOpenChange}
      finalFocus={returnTo}
    >
      <HeadFields form={form} openToolCallId={openToolCallId} />
      <Button
        disabledReason={addReason}
        onClick={() => {
          onAdd();
          onOpenChange(false);
        }}
      >
        Add message only
      </Button>
    </Popover>
  );
}

interface HeadFieldsProps {
  form: ComposerForm;
  openToolCallId: string | null;
}

function HeadFields({ form, openToolCallId }: HeadFieldsProps) {
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
          label="Tool call ID"
          readOnly={!isLoaded}
          monospace
          value={toolCallId || (openToolCallId ?? '')}
          onValueChange={(value) => writeHead(form, { toolCallId: value })}
        />
      )}
      <TextField
        label="Name"
        placeholder="Optional"
        readOnly={!isLoaded}
        value={name}
        onValueChange={(value) => writeHead(form, { name: value })}
      />
    </>
  );
}

interface HeadChipsProps {
  form: ComposerForm;
  onOpen: () => void;
}

/** Who says it, where that is not just the user. */
export function HeadChips({ form, onOpen }: HeadChipsProps) {
  const role = useForm(form, ({ input }) => input.role);
  const name = useForm(form, ({ input }) => input.name.trim());
  return (
    <>
      {role !== 'user' && <Chip onClick={onOpen}>role {role}</Chip>}
      {name !== '' && <Chip onClick={onOpen}>name {name}</Chip>}
    </>
  );
}

interface WrittenAnswerProps {
  form: ComposerForm;
}

/** For the role `assistant`: its reasoning and tool calls, in the composer. */
export function WrittenAnswer({ form }: WrittenAnswerProps) {
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
