import type { FieldError } from '../../../shared/errors.ts';
import { isSameJson, type JsonValue } from '../../../shared/json.ts';
import {
  describeOperation,
  type FieldDescription,
} from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { getParam, isSet } from '../../../shared/param.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ResetIcon } from '../../ui/icons/actions.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { Form } from './form.ts';
import { ParameterControl } from './parameter-control.tsx';
import styles from './parameter-field.module.css';
import { type SetOptions, setParameter, typeParameter, useDraft } from './parameters.ts';
import { useListedVoices } from './use-listed-voices.ts';
import { type Draft, findFieldProblem } from './validate-form.ts';

interface ParameterFieldProps {
  field: FieldDescription;
  draft: Draft;
  /** The field's error from the last request. */
  reported: string | null;
  /** The title of a required field that is off; null if nothing is missing. */
  missing: string | null;
  /** The operation's default, which needs no reset; undefined if the field starts unset. */
  preset?: JsonValue | undefined;
  /** The title of the chosen format if it can't send the field. */
  unsentIn?: string | null;
  /** The last probe’s verdict, such as “Ignored by this model, 3 days ago”; null for no hint. */
  hint?: string | null;
  /** Whether the variant overrides the field; undefined outside of variants. */
  isOwn?: boolean | undefined;
  onFollow?: () => void;
  onSet: (value: JsonValue, options?: SetOptions) => void;
  onType: (text: string) => void;
  onReset: () => void;
}

export function ParameterField({
  field,
  draft,
  reported,
  missing,
  preset,
  unsentIn = null,
  hint = null,
  isOwn,
  onFollow,
  onSet,
  onType,
  onReset,
}: ParameterFieldProps) {
  const param = getParam(draft.params, field.name);
  const set = isSet(param);
  const isPreset =
    preset !== undefined && param.value !== undefined && isSameJson(param.value, preset);
  return (
    <Tooltip text={getTooltip(field, unsentIn)}>
      <div
        className={styles.field}
        data-set={(isOwn ?? set) || undefined}
        data-preset={(isOwn !== true && isPreset) || undefined}
        data-control={field.control}
        data-field={field.name}
      >
        <div className={styles.meta}>
          <span className={styles.limits}>
            {unsentIn !== null ? 'Not sent' : isOwn === true ? 'Differs' : getMeta(field, set)}
          </span>
          {isOwn === true && (
            <IconButton
              size="small"
              label={`Use panel’s ${field.title}`}
              icon={<ResetIcon size={14} />}
              {...(onFollow !== undefined && { onClick: onFollow })}
            />
          )}
          {isOwn === undefined && set && !isPreset && (
            <IconButton
              size="small"
              label={`Reset ${field.title}`}
              icon={<ResetIcon size={14} />}
              onClick={onReset}
            />
          )}
        </div>
        <ParameterControl
          field={field}
          value={param.value}
          typedText={param.text}
          set={set}
          error={findFieldProblem(field, draft) ?? reported}
          onSet={onSet}
          onType={onType}
        />
        {hint !== null && <p className={styles.note}>{hint}</p>}
        {set && missing !== null && <p className={styles.note}>Only sent when {missing} is on.</p>}
      </div>
    </Tooltip>
  );
}

function getTooltip({ description, name }: FieldDescription, unsentIn: string | null): string {
  const unsent = unsentIn === null ? '' : ` ${unsentIn} has no such parameter.`;
  return `${description} (${name})${unsent}`;
}

/** Returns the limits, or the default if the control can't show it. */
function getMeta(field: FieldDescription, set: boolean): string {
  const { control, minimum, maximum, gatewayDefault } = field;
  if (control === 'switch' && !set) {
    return gatewayDefault === null
      ? 'Not set'
      : `Default ${gatewayDefault === true ? 'on' : 'off'}`;
  }
  if ((control === 'json' || control === 'choices') && !set) return 'Not set';
  // The title leaves room for either the limits or the reset button.
  if (control === 'number' && set) return '';
  if (minimum !== null && maximum !== null) return `${minimum} to ${maximum}`;
  if (minimum !== null) return `${minimum} or more`;
  if (maximum !== null) return `${maximum} or less`;
  return '';
}

interface PanelFieldProps {
  form: Form<OperationName>;
  name: string;
  errors: readonly FieldError[];
}

/** Renders a parameter in the panel; its name must be in the sidebar's `owned`. */
export function PanelField({ form, name, errors }: PanelFieldProps) {
  const description = describeOperation(form.operation);
  const draft = useDraft(form, description);
  const withVoices = useListedVoices(form);
  const described = description.fields.find((one) => one.name === name);
  if (described === undefined) return null;
  const field = withVoices(described);
  const param = getParam(draft.params, name);
  return (
    <ParameterControl
      field={field}
      value={param.value}
      typedText={param.text}
      set={isSet(param)}
      error={findFieldProblem(field, draft) ?? findFieldMessage(errors, name)}
      note={
        field === described ? undefined : 'Listed by the gateway. Any other voice can be typed.'
      }
      onSet={(value, options) => setParameter(form, name, value, options)}
      onType={(text) => typeParameter(form, field, text)}
    />
  );
}
