import { type ReactNode, useState } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import {
  describeOperation,
  type FieldDescription,
  type OperationDescription,
} from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { useCommands } from '../../lib/commands.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/lazy-component.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import { changeWithUndo } from './change-with-undo.ts';
import { changedFields } from './changed-fields.ts';
import { type Draft, renamedFields, withoutFields } from './check-draft.ts';
import { ExtraBody } from './extra-body.tsx';
import { FieldNames } from './field-names.tsx';
import type { Form } from './form.ts';
import { ParameterField } from './parameter-field.tsx';
import styles from './parameter-sidebar.module.css';
import {
  clearParameter,
  parametersPlace,
  resetParameters,
  setParameter,
  typeParameter,
  useDraft,
} from './parameters.ts';
import { useForm } from './use-form.ts';

const PresetsDialog = lazyDialog(
  'Presets',
  async () => (await import('./presets-dialog.tsx')).PresetsDialog,
);

interface ParameterSidebarProps {
  form: Form<OperationName>;
  /** What main found wrong with the last request, shown at the same fields. */
  errors?: readonly FieldError[];
  /** Fields that the panel has its own controls for. */
  owned?: readonly string[] | undefined;
  /** For a variant: the parameters that are its own, and how one becomes the form's again. */
  variant?: VariantParameters | undefined;
  /** The panel's own groups, before the extra body fields. */
  children?: ReactNode;
  /** How many of the panel's own fields are set. */
  ownCount?: number;
  /** The panel's own fields are reset with the others. */
  onReset?: () => void;
}

export interface VariantParameters {
  own: ReadonlySet<string>;
  onFollow: (name: string) => void;
}

/** The form of every parameter, made from the operation's description. */
export function ParameterSidebar({ owned = [], ...props }: ParameterSidebarProps) {
  const description = withoutFields(describeOperation(props.form.operation), owned);
  return <ParameterForm description={description} {...props} />;
}

interface ParameterFormProps extends Omit<ParameterSidebarProps, 'owned'> {
  description: OperationDescription;
}

function ParameterForm({
  form,
  description,
  errors = [],
  variant,
  children,
  ownCount = 0,
  onReset,
}: ParameterFormProps) {
  const draft = useDraft(form, description);
  const wireNames = useForm(form, (values) => values.wireNames);
  const renamedCount = Object.keys(renamedFields(wireNames)).length;
  const changedCount = changedFields(description, draft).length + renamedCount + ownCount;
  const count = variant?.own.size ?? changedCount;
  const [showsPresets, setShowsPresets] = useState(false);
  useCommands([
    {
      id: 'panel.presets',
      title: 'Save or apply a preset',
      group: 'Panel',
      keywords: 'parameters settings presets',
      run: () => setShowsPresets(true),
    },
  ]);
  const groups = [...new Set(description.fields.map((field) => field.group))];
  return (
    <div className={styles.sidebar}>
      <div className={styles.head}>
        <h2 className={styles.title}>Parameters</h2>
        <span className={styles.count}>
          {count > 0 && `${count} ${variant ? 'different' : 'changed'}`}
        </span>
        <Button size="small" variant="quiet" onClick={() => setShowsPresets(true)}>
          Presets
        </Button>
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            const reset = () => {
              resetParameters(form);
              onReset?.();
            };
            changeWithUndo(form, reset, 'Parameters reset', { place: parametersPlace(form) });
          }}
        >
          Reset all
        </Button>
      </div>
      <UndoBars place={parametersPlace(form)} className={styles.undo} />
      {showsPresets && <PresetsDialog form={form} onClose={() => setShowsPresets(false)} />}
      {groups.map((group) => (
        <fieldset key={group} aria-label={group} className={styles.group}>
          <h3 className={styles.groupTitle}>{group}</h3>
          {description.fields
            .filter((field) => field.group === group)
            .map((field) => (
              <ParameterField
                key={field.name}
                field={field}
                draft={draft}
                reported={fieldMessage(errors, field.name)}
                missing={missingFor(field, description, draft)}
                isOwn={variant?.own.has(field.name)}
                onFollow={() => variant?.onFollow(field.name)}
                onSet={(value, options) => setParameter(form, field.name, value, options)}
                onType={(text) => typeParameter(form, field, text)}
                onReset={() => clearParameter(form, field.name)}
              />
            ))}
        </fieldset>
      ))}
      {children}
      {description.renamable.length > 0 && (
        <FieldNames
          fields={description.renamable}
          wireNames={wireNames}
          errors={errors}
          onRename={(field, name) =>
            form.change({ wireNames: { [field]: name } }, { typing: true })
          }
        />
      )}
      <ExtraBody form={form} description={description} draft={draft} wireNames={wireNames} />
    </div>
  );
}

/** The title of the field that it needs and that is off. */
function missingFor(
  { needs }: FieldDescription,
  { fields }: OperationDescription,
  { parameters }: Draft,
): string | null {
  if (needs === null || parameters[needs] === true) return null;
  return fields.find(({ name }) => name === needs)?.title ?? needs;
}
