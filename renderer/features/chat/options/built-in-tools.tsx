import { useState } from 'react';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import {
  type BuiltInChoice,
  type BuiltInParameter,
  type BuiltInTool,
  listBuiltInTools,
} from '../../../../shared/operations/chat/built-in-tools.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import styles from './conversation-options.module.css';

interface BuiltInToolsProps {
  format: JsonValue | undefined;
  chosen: readonly BuiltInChoice[];
  onChange: (chosen: BuiltInChoice[]) => void;
}

/** Switches the provider's own tools on and off, in formats that have any. */
export function BuiltInTools({ format, chosen, onChange }: BuiltInToolsProps) {
  const tools = listBuiltInTools(format);
  const isOf = (tool: BuiltInTool) => (choice: BuiltInChoice) =>
    choice.format === format && choice.name === tool.name;
  const change = (tool: BuiltInTool, values: JsonObject | null) => {
    const others = chosen.filter((choice) => !isOf(tool)(choice));
    const isOn = values !== null && typeof format === 'string';
    onChange(isOn ? [...others, { format, name: tool.name, values }] : others);
  };
  return (
    <section aria-label="Built-in tools" className={`stack-8 ${styles.mcp}`}>
      <h3 className={styles.title}>Built-in tools</h3>
      {tools.length === 0 && (
        <p className="caption">
          The Responses and Messages formats have tools that the provider runs itself.
        </p>
      )}
      {tools.map((tool) => (
        <BuiltInToolRow
          key={tool.name}
          tool={tool}
          values={chosen.find(isOf(tool))?.values ?? null}
          onChange={(values) => change(tool, values)}
        />
      ))}
    </section>
  );
}

interface BuiltInToolRowProps {
  tool: BuiltInTool;
  /** Null if the tool is off. */
  values: JsonObject | null;
  onChange: (values: JsonObject | null) => void;
}

function BuiltInToolRow({ tool, values, onChange }: BuiltInToolRowProps) {
  const { title, help, parameters } = tool;
  return (
    <div className="stack-8">
      <Switch
        label={title}
        help={help}
        checked={values !== null}
        onCheckedChange={(isOn) => onChange(isOn ? {} : null)}
      />
      {values !== null && parameters.length > 0 && (
        <fieldset aria-label={`${title} parameters`} className={`stack-8 ${styles.parameters}`}>
          {parameters.map((parameter) => (
            <ParameterControl
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name]}
              onChange={(value) => {
                const { [parameter.name]: _, ...others } = values;
                onChange(value === null ? others : { ...others, [parameter.name]: value });
              }}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

interface ParameterControlProps {
  parameter: BuiltInParameter;
  value: JsonValue | undefined;
  /** Null removes the parameter. */
  onChange: (value: JsonValue | null) => void;
}

function ParameterControl({ parameter, value, onChange }: ParameterControlProps) {
  const { title, help, control, required } = parameter;
  switch (control.kind) {
    case 'choice':
      return (
        <Select
          label={title}
          help={help}
          value={typeof value === 'string' ? value : ''}
          options={[
            { value: '', label: 'Not set' },
            ...control.options.map((option) => ({ value: option, label: option })),
          ]}
          onValueChange={(next) => onChange(next === '' ? null : next)}
        />
      );
    case 'integer': {
      const isFit =
        typeof value !== 'number' ||
        (Number.isInteger(value) && value >= control.min && value <= control.max);
      return (
        <NumberField
          label={title}
          help={help}
          min={control.min}
          max={control.max}
          placeholder="Not set"
          error={isFit ? null : `Enter a whole number from ${control.min} to ${control.max}.`}
          value={typeof value === 'number' ? value : null}
          onValueChange={onChange}
        />
      );
    }
    case 'switch':
      return (
        <Switch
          label={title}
          help={help}
          checked={value === true}
          onCheckedChange={(isOn) => onChange(isOn ? true : null)}
        />
      );
    case 'text':
      return (
        <TextField
          label={title}
          help={help}
          placeholder="Not set"
          value={typeof value === 'string' ? value : ''}
          onValueChange={(next) => onChange(next.trim() === '' ? null : next)}
        />
      );
    case 'list':
      return (
        <ListField
          title={title}
          help={help}
          isRequired={required === true}
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      );
  }
}

interface ListFieldProps {
  title: string;
  help: string;
  isRequired: boolean;
  value: readonly JsonValue[];
  onChange: (value: JsonValue | null) => void;
}

function ListField({ title, help, isRequired, value, onChange }: ListFieldProps) {
  // Keeps a comma at the end while the next item is typed.
  const [text, setText] = useState(value.map(String).join(', '));
  return (
    <TextField
      label={title}
      help={help}
      error={isRequired && value.length === 0 ? 'The provider rejects the tool without it.' : null}
      placeholder="Not set"
      value={text}
      onValueChange={(next) => {
        setText(next);
        const items = next.split(',').map((item) => item.trim());
        const filled = items.filter((item) => item !== '');
        onChange(filled.length === 0 ? null : filled);
      }}
    />
  );
}
