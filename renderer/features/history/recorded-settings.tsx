import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { RecordedRequest } from '../../run/live/recorded-request.ts';
import styles from './run-record.module.css';

const longest = 4000;

/** Every field of the request as the panel stated it, long ones cut. */
export function RecordedSettings({ recorded }: { recorded: RecordedRequest }) {
  return (
    <>
      <Fields title="Request" fields={recorded.request} />
      {Object.keys(recorded.extraBody).length > 0 && (
        <Fields title="Extra body fields" fields={recorded.extraBody} />
      )}
    </>
  );
}

function Fields({ title, fields }: { title: string; fields: JsonObject }) {
  return (
    <section className={styles.section} aria-label={`Recorded ${title.toLowerCase()}`}>
      <h3 className={styles.sectionTitle}>{title}</h3>
      <dl className={styles.fields}>
        {Object.entries(fields).map(([name, value]) => (
          <div key={name} className={styles.field}>
            <dt>{name}</dt>
            <dd>{shown(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function shown(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1);
  return text.length > longest ? `${text.slice(0, longest)}… (see Inspect for the rest)` : text;
}
