import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { RunInput } from '../../../shared/run-input.ts';
import styles from './run-record.module.css';

const longest = 4000;

/** A run's input as the panel stated it, long fields cut. */
export function RecordedSettings({ recorded }: { recorded: RunInput }) {
  return (
    <>
      <Fields title="Request" fields={recorded.request} />
      {Object.keys(recorded.extraBody).length > 0 && (
        <Fields title="Extra body fields" fields={recorded.extraBody} />
      )}
      {Object.keys(recorded.wireNames).length > 0 && (
        <Fields title="Renamed fields" fields={recorded.wireNames} />
      )}
      {recorded.follow !== null && (
        <Fields title="Followed task" fields={{ task_id: recorded.follow }} />
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
