import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import type { FieldPart } from '../../../shared/operations/form/field-meta.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './structured-control.module.css';
import { StructuredControl } from './structured-control.tsx';

interface ObjectControlProps {
  field: FieldDescription;
  /** Undefined while it is not set, or its text is no JSON. */
  value: JsonValue | undefined;
  /** Its JSON, as typed. */
  text: string;
  error: string | null;
  onSet: (value: JsonValue, options?: { typing: boolean }) => void;
  onType: (text: string) => void;
}

/** An object by the controls of its fields; what else it holds stays. */
export function ObjectControl({ field, value, text, error, onSet, onType }: ObjectControlProps) {
  const object = value === undefined && text.trim() === '' ? {} : value;
  const isShown = isJsonObject(object) && field.parts.every((part) => fits(part, object));
  return (
    <StructuredControl field={field} text={text} error={error} onType={onType}>
      {isShown
        ? field.parts.map((part) => (
            <PartControl
              key={part.name}
              part={part}
              value={object[part.name]}
              onSet={(next) => onSet({ ...object, [part.name]: next }, { typing: next !== true })}
              onClear={() => {
                const { [part.name]: _, ...rest } = object;
                if (Object.keys(rest).length === 0) onType('');
                else onSet(rest, { typing: true });
              }}
            />
          ))
        : null}
    </StructuredControl>
  );
}

function fits({ name, control }: FieldPart, object: JsonObject): boolean {
  const value = object[name];
  return value === undefined || typeof value === (control === 'switch' ? 'boolean' : 'string');
}

interface PartControlProps {
  part: FieldPart;
  value: JsonValue | undefined;
  onSet: (value: JsonValue) => void;
  onClear: () => void;
}

function PartControl({ part, value, onSet, onClear }: PartControlProps) {
  if (part.control === 'switch') {
    return <Switch label={part.title} checked={value === true} onCheckedChange={onSet} />;
  }
  return (
    <Combobox
      label={part.title}
      className={styles.part}
      value={typeof value === 'string' ? value : ''}
      suggestions={part.suggestions.map((word) => ({ value: word }))}
      placeholder="Not set"
      onValueChange={(word) => (word === '' ? onClear() : onSet(word))}
    />
  );
}
