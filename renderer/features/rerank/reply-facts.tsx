import type { RerankState } from '../../../shared/operations/rerank/state.ts';
import styles from './ranking.module.css';

/** What the reply says about itself. */
export function ReplyFacts({ state }: { state: RerankState }) {
  const facts = [
    ['id', state.id],
    ['meta', state.meta === null ? null : JSON.stringify(state.meta)],
    ['usage', state.usage === null ? null : JSON.stringify(state.usage)],
  ] as const;
  const known = facts.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {known.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
