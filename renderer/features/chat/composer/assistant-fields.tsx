import { useState } from 'react';
import type { ToolCall } from '../../../../shared/operations/chat/message.ts';
import type { MessageDetails } from '../../../../shared/operations/chat/request.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { CloseIcon, PlusIcon } from '../../../ui/icons/actions.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { chatLabels } from '../conversation/chat-labels.ts';
import styles from './composer.module.css';

type AssistantDetails = Pick<MessageDetails, 'reasoning' | 'toolCalls'>;

interface AssistantFieldsProps {
  value: AssistantDetails;
  showsMissing: boolean;
  readOnly: boolean;
  onChange: (change: Partial<AssistantDetails>) => void;
}

export function AssistantFields(props: AssistantFieldsProps) {
  const { value, showsMissing, readOnly, onChange } = props;
  const { reasoning, toolCalls } = value;
  const [isOpened, setIsOpened] = useState(false);
  const hasReasoning = isOpened || reasoning !== '';
  return (
    <div className="stack-8">
      {hasReasoning && (
        <TextArea
          label={chatLabels.reasoning}
          help="Sent as reasoning_content unless “Reasoning in history” leaves it out."
          readOnly={readOnly}
          autoFocus={isOpened}
          autoGrow
          rows={2}
          value={reasoning}
          onValueChange={(text) => onChange({ reasoning: text })}
        />
      )}
      {toolCalls.map((call, index) => (
        <ToolCallFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the ID changes while it is edited.
          key={index}
          call={call}
          number={index + 1}
          showsMissing={showsMissing}
          readOnly={readOnly}
          onChange={(changed) => onChange({ toolCalls: toolCalls.with(index, changed) })}
          onRemove={() => onChange({ toolCalls: toolCalls.toSpliced(index, 1) })}
        />
      ))}
      <div className="wrap-4">
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
          onClick={() => onChange({ toolCalls: [...toolCalls, createToolCall()] })}
        >
          Add tool call
        </Button>
      </div>
    </div>
  );
}

function createToolCall(): ToolCall {
  const id = `call_${crypto.randomUUID().slice(0, 8)}`;
  return { id, type: 'function', function: { name: '', arguments: '{}' } };
}

interface ToolCallFieldsProps {
  call: ToolCall;
  number: number;
  showsMissing: boolean;
  readOnly: boolean;
  onChange: (call: ToolCall) => void;
  onRemove: () => void;
}

function ToolCallFields(props: ToolCallFieldsProps) {
  const { call, number, showsMissing, readOnly, onChange, onRemove } = props;
  const { name, arguments: source } = call.function;
  const getMissing = (text: string, message: string) =>
    showsMissing && text.trim() === '' ? message : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and its own legend.
    <div role="group" aria-label={`Tool call ${number}`} className={styles.toolCall}>
      <TextField
        label="Tool name"
        monospace
        autoFocus={name === ''}
        readOnly={readOnly}
        error={getMissing(name, 'Enter a name.')}
        value={name}
        onValueChange={(text) => onChange({ ...call, function: { ...call.function, name: text } })}
      />
      <TextField
        label="Tool call ID"
        monospace
        readOnly={readOnly}
        error={getMissing(call.id, 'Enter an ID.')}
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
