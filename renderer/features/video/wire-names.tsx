import type { FieldError } from '../../../shared/errors.ts';
import {
  type RenamableVideoField,
  renamableVideoFields,
} from '../../../shared/operations/video/fields.ts';
import { fieldMessage } from '../../lib/app-error.ts';
import { TextField } from '../../ui/text-field.tsx';
import styles from './video.module.css';
import { useVideo } from './video-store.ts';

const titles: Record<RenamableVideoField, string> = {
  image: 'Image',
  fps: 'Frame rate',
  seed: 'Seed',
  n: 'Videos (n)',
  response_format: 'Response format',
  user: 'User',
  metadata: 'Extended parameters',
};

/** The interface does not say what the optional fields are called: gateways differ. */
export function WireNames({ errors }: { errors: readonly FieldError[] }) {
  const wireNames = useVideo((state) => state.wireNames);
  const { renameField } = useVideo.getState();
  return (
    <section aria-label="Names on the wire" className={styles.group}>
      <h3 className={styles.groupTitle}>Names on the wire</h3>
      <p className={styles.note}>
        What each optional field is called in the request. Gateways differ here.
      </p>
      <div className={styles.names}>
        {renamableVideoFields.map((field) => (
          <WireName
            key={field}
            title={titles[field]}
            field={field}
            name={wireNames[field] ?? ''}
            error={fieldMessage(errors, 'wire_names', field)}
            onName={(name) => renameField(field, name)}
          />
        ))}
      </div>
    </section>
  );
}

interface WireNameProps {
  title: string;
  field: RenamableVideoField;
  name: string;
  error: string | null;
  onName: (name: string) => void;
}

function WireName({ title, field, name, error, onName }: WireNameProps) {
  return (
    <>
      <span aria-hidden="true">{title}</span>
      <TextField
        label={`Wire name of ${title}`}
        hideLabel
        monospace
        placeholder={field}
        value={name}
        error={error}
        onValueChange={onName}
      />
    </>
  );
}
