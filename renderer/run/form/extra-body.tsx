import type { OperationDescription } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import { WarningIcon } from '../../ui/icons/status.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { type Draft, extraBodyPath, overriddenFields, readExtraBody } from './check-draft.ts';
import type { Form } from './form.ts';
import styles from './parameter-sidebar.module.css';

interface ExtraBodyProps {
  form: Form<OperationName>;
  description: OperationDescription;
  draft: Draft;
  /** The names that the user gave to fields, as typed. */
  wireNames: RunInput['wireNames'];
}

/** Whatever else the gateway accepts, as JSON. */
export function ExtraBody({ form, description, draft, wireNames }: ExtraBodyProps) {
  const read = readExtraBody(draft.extraBody);
  const overridden = overriddenFields(description, draft, wireNames);
  return (
    <fieldset aria-label="Extra" className={styles.group} data-field={extraBodyPath}>
      <TextArea
        label="Extra body fields"
        value={draft.extraBody}
        onValueChange={(text) => form.change({ extraBody: text }, { typing: true })}
        placeholder={'{"top_k": 40}'}
        error={read.ok ? null : read.message}
        help="A JSON object merged into the body last. These fields are not validated."
        monospace
        autoGrow
        rows={3}
        maxRows={14}
      />
      {overridden.length > 0 && (
        <p className={styles.warning} role="status">
          <WarningIcon size={14} />
          <span>
            {overridden.length === 1 ? 'Overrides the field' : 'Overrides the fields'} above:{' '}
            {overridden.join(', ')}.
          </span>
        </p>
      )}
    </fieldset>
  );
}
