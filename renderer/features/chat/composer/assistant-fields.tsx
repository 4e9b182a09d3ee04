import { useState } from 'react';
import type { MessageDetails } from '../../../../shared/operations/chat/input.ts';
import type { ToolCall } from '../../../../shared/operations/chat/message.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PlusIcon } from '../../../ui/icons/actions.tsx';
import { CloseIcon } from '../../../ui/icons/close.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import styles from './assistant-fields.module.css';
import { newToolCall } from './message-details.ts';

type Said = Pick<MessageDetails, 'reasoning' | 'toolCalls'>;

interface AssistantFieldsProps {
  value: Said;
  /** Says what is missing at each tool call. */
  showsMissing: boolean;
  readOnly: boolean;
  onChange: (change: Partial<Said>) => void;
}

/** What only an assistant's message has: its reasoning, and the tools it calls. */
export function AssistantFields(props: AssistantFieldsProps) {
  const { value, showsMissing, readOnly, onChange } = props;
  const { reasoning, toolCalls } = value;
  const [isOpened, setIsOpened] = useState(false);
  const hasReasoning = isOpened || reasoning !== '';
  return (
    <div className={styles.fields}>
      {hasReasoning && (
        <TextArea
          label="Reasoning"
          help="Sent as reasoning_content when “Include previous reasoning” is on."
          readOnly={readOnly}
          autoFocus={isOpened}
          autoGrow
          rows={2}
          value={reasoning}
          onValueChange={(text) => onChange({ reasoning: text })}
        />
      )}
      {toolCalls.map((call, at) => (
        <ToolCallFields
          // biome-ignore lint/suspicious/noArrayIndexKey: an ID changes while it is typed.
          key={at}
          call={call}
          number={at + 1}
          showsMissing={showsMissing}
          readOnly={readOnly}
          onChange={(changed) => onChange({ toolCalls: toolCalls.with(at, changed) })}
          onRemove={() => onChange({ toolCalls: toolCalls.toSpliced(at, 1) })}
        />
      ))}
      <div className={styles.add}>
        {!hasReasoning && (
          <Button
            size="small"
            variant="quiet"
            icon={<PlusIcon size={14} />}
            disabled={readOnly}
            onClick={() => setIsOpened(true)}
          >
            Add reasoning
          </Button>
        )}
        <Button
          size="small"
          variant="quiet"
          icon={<PlusIcon size={14} />}
          disabled={readOnly}
          onClick={() =>
            onChange({
              toolCalls: [...toolCalls, newToolCall(`call_${crypto.randomUUID().slice(0, 8)}`)],
            })
          }
        >
          Add tool call
        </Button>
      </div>
    </div>
  );
}

interface ToolCallFieldsProps {
  call: ToolCall;
  /** From 1. */
  number: number;
  showsMissing: boolean;
  readOnly: boolean;
  onChange: (call: ToolCall) => void;
  onRemove: () => void;
}

function ToolCallFields(props: ToolCallFieldsProps) {
  const { call, number, showsMissing, readOnly, onChange, onRemove } = props;
  const { name, arguments: source } = call.function;
  const missing = (text: string, words: string) =>
    showsMissing && text.trim() === '' ? words : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and its own legend.
    <div role="group" aria-label={`Tool call ${number}`} className={styles.call}>
      <TextField
        label="Tool name"
        monospace
        autoFocus={name === ''}
        readOnly={readOnly}
        error={missing(name, 'Enter a name.')}
        value={name}
        onValueChange={(text) => onChange({ ...call, function: { ...call.function, name: text } })}
      />
      <TextField
        label="Tool call ID"
        monospace
        readOnly={readOnly}
        error={missing(call.id, 'Enter an ID.')}
        value={call.id}
        onValueChange={(id) => onChange({ ...call, id })}
      />
      <IconButton
        size="small"
        label={`Remove tool call ${number}`}
        icon={<CloseIcon size={12} />}
        onClick={onRemove}
      />
      <TextArea
        className={styles.arguments}
        label="Arguments"
        monospace
        readOnly={readOnly}
        autoGrow
        rows={1}
        value={source}
        onValueChange={(text) =>
          onChange({ ...call, function: { ...call.function, arguments: text } })
        }
      />
    </div>
  );
}
