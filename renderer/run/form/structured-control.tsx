import { type ReactNode, useId, useState } from 'react';
import type { FieldDescription } from '../../../shared/operations/form/describe.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './structured-control.module.css';

interface StructuredControlProps {
  field: FieldDescription;
  /** Its JSON, as typed. */
  text: string;
  error: string | null;
  onType: (text: string) => void;
  /** Its own controls; null if they cannot show what is typed. */
  children: ReactNode;
}

/** A field that is a JSON object, by its own controls or as JSON. */
export function StructuredControl(props: StructuredControlProps) {
  const { field, text, error, onType, children } = props;
  const [asJson, setAsJson] = useState(false);
  const titleId = useId();
  const showsJson = asJson || children === null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and its own legend.
    <div role="group" aria-labelledby={titleId} className={styles.control}>
      <div className={styles.head}>
        <span id={titleId} className={styles.title}>
          {field.title}
        </span>
        <Button
          size="small"
          variant="quiet"
          aria-label={`Edit ${field.title} as JSON`}
          aria-pressed={showsJson}
          disabledReason={
            asJson || children !== null ? null : 'This JSON has fields that the form cannot show.'
          }
          onClick={() => setAsJson(!showsJson)}
        >
          JSON
        </Button>
      </div>
      {showsJson ? (
        <TextArea
          label={`${field.title} JSON`}
          hideLabel
          error={error}
          help={<span className="visually-hidden">{field.description}</span>}
          value={text}
          onValueChange={onType}
          placeholder="Not set"
          monospace
          autoGrow
          rows={2}
          maxRows={16}
        />
      ) : (
        <>
          {children}
          {error !== null && <p className={styles.error}>{error}</p>}
        </>
      )}
    </div>
  );
}
