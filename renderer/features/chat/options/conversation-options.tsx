import { useId, useLayoutEffect } from 'react';
import {
  MAX_ROUNDS,
  type ConversationOptions as Options,
  type ProviderFields,
  type ToolChoice,
} from '../../../../shared/conversation.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { useIsFieldWanted } from '../../../run/form/run-block.ts';
import { Button } from '../../../ui/button.tsx';
import { FoldButton } from '../../../ui/fold-button.tsx';
import { lazyDialog } from '../../../ui/lazy-component.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { openEditor, openOptions, useChat } from '../conversation/chat-store.ts';
import { useChatSession, useChatState } from '../session/chat-session.ts';
import { exampleSchema } from '../session/option-examples.ts';
import { getChoiceProblem, listToolNames, optionFields } from '../session/request-options.ts';
import styles from './conversation-options.module.css';
import { useFormat } from './use-options.ts';

interface ConversationOptionsProps {
  /** Null if several requests would be sent. */
  onShowRequest: (() => void) | null;
}

const fieldNames = Object.values(optionFields);

/** Folds, because the chips above the composer show what is set. */
export function ConversationOptions(props: ConversationOptionsProps) {
  const isOpen = useChat((chat) => chat.optionsOpen);
  const isWanted = useIsFieldWanted(fieldNames);
  const id = useId();
  useLayoutEffect(() => {
    if (isWanted) openOptions(true);
  }, [isWanted]);
  return (
    <section className={`stack-8 ${styles.options}`} aria-label="This conversation">
      <h2 className={styles.title}>
        <FoldButton open={isOpen} onOpenChange={openOptions} controls={id}>
          This conversation
        </FoldButton>
      </h2>
      {(isOpen || isWanted) && (
        <div id={id} className="stack-12">
          <OptionFields {...props} />
        </div>
      )}
    </section>
  );
}

/** More names than this are counted. */
const MAX_NAMES = 2;

function OptionFields({ onShowRequest }: ConversationOptionsProps) {
  const options = useChatState((chat) => chat.options);
  const tools = useChatState((chat) => chat.tools);
  const { changeOptions } = useChatSession();
  const onChange = (change: Partial<Options>) => void changeOptions(change);
  const sent = listToolNames(options, tools, useFormat());
  const names = [...sent.functions, ...sent.builtIn];
  return (
    <>
      <div className="row-8">
        <Button size="small" onClick={() => openEditor('tools')}>
          Tools
        </Button>
        <span className="grow hint truncate">
          {names.length > MAX_NAMES ? `${names.length} on` : names.join(', ') || 'None'}
        </span>
      </div>
      {names.length > 0 && (
        <div data-field={optionFields.toolChoice}>
          <ToolChoicePicker
            choice={options.toolChoice}
            names={sent.functions}
            problem={getChoiceProblem(options.toolChoice, sent)}
            onChange={(toolChoice) => onChange({ toolChoice })}
          />
        </div>
      )}
      {sent.functions.length > 0 && (
        <>
          <NumberField
            label="Most requests per turn"
            help="Tools that answer by themselves continue until the model calls none, but send at most this many requests per message."
            min={1}
            max={MAX_ROUNDS}
            value={options.maxRounds}
            onValueChange={(value) => {
              if (isRounds(value)) onChange({ maxRounds: value });
            }}
          />
          <Switch
            label="Return errors for invalid calls"
            help="Unknown tools, repeated IDs and wrong arguments get an error as their result, so that the model can correct itself."
            checked={options.rejectsBadCalls}
            onCheckedChange={(rejectsBadCalls) => onChange({ rejectsBadCalls })}
          />
        </>
      )}
      <ResponseFormatPicker
        responseFormat={options.responseFormat}
        onChange={(responseFormat) => onChange({ responseFormat })}
      />
      <div data-field={optionFields.providerFields}>
        <Select
          label="Reasoning in history"
          help="Send earlier answers back with their reasoning and signatures. Automatic: always for tool calls; reasoning only in turns that call tools."
          value={options.providerFields}
          options={PROVIDER_FIELDS}
          onValueChange={(next) => {
            const chosen = PROVIDER_FIELDS.find(({ value }) => value === next);
            if (chosen !== undefined) onChange({ providerFields: chosen.value });
          }}
        />
      </div>
      {onShowRequest !== null && (
        <div className="row-8">
          <Button size="small" onClick={onShowRequest}>
            Show next request
          </Button>
        </div>
      )}
    </>
  );
}

const PROVIDER_FIELDS: { value: ProviderFields; label: string }[] = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'always', label: 'Always' },
  { value: 'never', label: 'Never' },
];

function isRounds(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value >= 1 && value <= MAX_ROUNDS;
}

interface ToolChoicePickerProps {
  choice: ToolChoice | null;
  names: readonly string[];
  problem: string | null;
  onChange: (choice: ToolChoice | null) => void;
}

const MODES = ['none', 'auto', 'required'] as const;
const BY_NAME = 'function ';

function ToolChoicePicker({ choice, names, problem, onChange }: ToolChoicePickerProps) {
  const value = choice === null ? '' : typeof choice === 'string' ? choice : BY_NAME + choice.name;
  // Keep showing a selected tool even if the user turned it off.
  const named = typeof choice === 'object' && choice !== null ? [choice.name] : [];
  return (
    <Select
      label="Tool choice"
      value={value}
      error={problem}
      options={[
        { value: '', label: 'Not set' },
        ...MODES.map((mode) => ({ value: mode, label: mode })),
        ...[...new Set([...names, ...named])].map((name) => ({
          value: BY_NAME + name,
          label: `Only ${name}`,
        })),
      ]}
      onValueChange={(next) => {
        const mode = MODES.find((candidate) => candidate === next);
        if (next === '') onChange(null);
        else onChange(mode ?? { name: next.slice(BY_NAME.length) });
      }}
    />
  );
}

interface ResponseFormatPickerProps {
  responseFormat: JsonObject | null;
  onChange: (responseFormat: JsonObject | null) => void;
}

const SCHEMA = 'json_schema';

function ResponseFormatPicker({ responseFormat, onChange }: ResponseFormatPickerProps) {
  const type = typeof responseFormat?.type === 'string' ? responseFormat.type : '';
  return (
    <div className={styles.formatRow} data-field={optionFields.responseFormat}>
      <Select
        label="Response format"
        value={type}
        options={[
          { value: '', label: 'Not set' },
          { value: 'text', label: 'text' },
          { value: 'json_object', label: 'json_object' },
          { value: SCHEMA, label: SCHEMA },
        ]}
        onValueChange={(next) => {
          if (next === '') onChange(null);
          else if (next === SCHEMA) {
            onChange({ type: next, json_schema: responseFormat?.json_schema ?? exampleSchema });
            openEditor('schema');
          } else onChange({ type: next });
        }}
      />
      {type === SCHEMA && <Button onClick={() => openEditor('schema')}>Edit schema</Button>}
    </div>
  );
}

const ToolsDialog = lazyDialog(
  'Tools',
  async () => (await import('./tools-dialog.tsx')).ToolsDialog,
);
const SchemaDialog = lazyDialog(
  'Response schema',
  async () => (await import('./schema-dialog.tsx')).SchemaDialog,
);

/** Renders the dialogs that the sidebar, the composer's chips or a command can open. */
export function OptionEditors() {
  const editor = useChat((state) => state.editor);
  const close = () => openEditor(null);
  return (
    <>
      {editor === 'tools' && <ToolsDialog onClose={close} />}
      {editor === 'schema' && <SchemaDialog onClose={close} />}
    </>
  );
}
