import type { JsonObject } from '../../../shared/json.ts';
import { JsonView } from '../../ui/json-view/json-view.tsx';
import styles from './other-fields.module.css';

/** Renders response fields that aren't shown anywhere else. */
export function OtherFields({ fields }: { fields: JsonObject }) {
  const count = Object.keys(fields).length;
  if (count === 0) return null;
  return (
    <details className={styles.fields}>
      <summary>
        Other fields <span>{Object.keys(fields).join(', ')}</span>
      </summary>
      <JsonView label="Other fields" value={fields} />
    </details>
  );
}

/** Adds the fields of each choice that has any, in the response's format. */
export function withChoices(fields: JsonObject, choices: readonly JsonObject[]): JsonObject {
  const filled = choices.flatMap((choice, index) =>
    Object.keys(choice).length === 0 ? [] : [choices.length > 1 ? { index, ...choice } : choice],
  );
  return filled.length === 0 ? fields : { ...fields, choices: filled };
}
