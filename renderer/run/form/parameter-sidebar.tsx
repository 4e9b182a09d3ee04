import type { ReactNode } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import type { OperationDescription } from '../../../shared/operations/form/description.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { renamedFields, setFieldCount } from './check-draft.ts';
import { useOperation, withoutFields } from './describe.ts';
import { draftOf, useDrafts } from './drafts.ts';
import { ExtraBody } from './extra-body.tsx';
import { FieldNames } from './field-names.tsx';
import { ParameterField } from './parameter-field.tsx';
import styles from './parameter-sidebar.module.css';

interface ParameterSidebarProps {
  operation: OperationName;
  /** What main found wrong with the last request, shown at the same fields. */
  errors?: readonly FieldError[];
  /** Fields that the panel has its own controls for. */
  owned?: readonly string[];
  /** The names that the user gave to fields, as typed; without these none can be renamed. */
  wireNames?: RunInput['wireNames'];
  onRename?: (field: string, name: string) => void;
  /** The panel's own groups, before the extra body fields. */
  children?: ReactNode;
  /** How many of the panel's own fields are set. */
  ownCount?: number;
  /** The panel's own fields are reset with the others. */
  onReset?: () => void;
}

/** The form of every parameter, made from the operation's description. */
export function ParameterSidebar({ operation, owned = [], ...form }: ParameterSidebarProps) {
  const description = useOperation(operation);
  if (description === null) return <Spinner label="Loading the parameters" />;
  return <ParameterForm description={withoutFields(description, owned)} {...form} />;
}

interface ParameterFormProps extends Omit<ParameterSidebarProps, 'operation' | 'owned'> {
  description: OperationDescription;
}

function ParameterForm({
  description,
  errors = [],
  wireNames = {},
  onRename,
  children,
  ownCount = 0,
  onReset,
}: ParameterFormProps) {
  const draft = useDrafts(({ drafts }) => drafts[description.name]) ?? draftOf({}, description);
  const { setParameter, typeParameter, unsetParameter, resetParameters } = useDrafts.getState();
  const renamedCount = Object.keys(renamedFields(wireNames)).length;
  const count = setFieldCount(description, draft) + renamedCount + ownCount;
  const groups = [...new Set(description.fields.map((field) => field.group))];
  return (
    <div className={styles.sidebar}>
      <div className={styles.head}>
        <h2 className={styles.title}>Parameters</h2>
        <span className={styles.count}>{count === 0 ? 'none set' : `${count} set`}</span>
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            resetParameters(description);
            onReset?.();
          }}
        >
          Reset all
        </Button>
      </div>
      {groups.map((group) => (
        <section key={group} aria-label={group} className={styles.group}>
          <h3 className={styles.groupTitle}>{group}</h3>
          {description.fields
            .filter((field) => field.group === group)
            .map((field) => (
              <ParameterField
                key={field.name}
                field={field}
                draft={draft}
                reported={fieldMessage(errors, field.name)}
                onSet={(value) => setParameter(description, field.name, value)}
                onType={(text) => typeParameter(description, field, text)}
                onReset={() => unsetParameter(description, field.name)}
              />
            ))}
        </section>
      ))}
      {children}
      {onRename !== undefined && (
        <FieldNames
          fields={description.renamable}
          wireNames={wireNames}
          errors={errors}
          onRename={onRename}
        />
      )}
      <ExtraBody description={description} draft={draft} wireNames={wireNames} />
    </div>
  );
}
