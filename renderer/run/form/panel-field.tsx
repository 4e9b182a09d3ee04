import type { FieldError } from '../../../shared/errors.ts';
import { describeOperation } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { fieldProblem, isSet } from './check-draft.ts';
import type { Form } from './form.ts';
import { ParameterControl } from './parameter-control.tsx';
import { setParameter, typeParameter, useDraft } from './parameters.ts';

interface PanelFieldProps {
  form: Form<OperationName>;
  /** The field's name in the request. */
  name: string;
  /** What main found wrong with the last request. */
  errors: readonly FieldError[];
}

/** A parameter in the panel itself; name it in the sidebar's `owned`. */
export function PanelField({ form, name, errors }: PanelFieldProps) {
  const description = describeOperation(form.operation);
  const draft = useDraft(form, description);
  const field = description.fields.find((one) => one.name === name);
  if (field === undefined) return null;
  return (
    <ParameterControl
      field={field}
      value={draft.parameters[name]}
      typed={draft.typed[name]}
      set={isSet(field, draft)}
      error={fieldProblem(field, draft) ?? fieldMessage(errors, name)}
      onSet={(value, options) => setParameter(form, name, value, options)}
      onType={(text) => typeParameter(form, field, text)}
    />
  );
}
