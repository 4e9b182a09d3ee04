import type { Storage } from '../../../electron/storage/database.ts';
import { createRandom } from '../../fixtures/random.ts';

/** Every hundred runs start with 20 cells of a comparison. */
const EVERY = 100;
const CELLS = 20;
/** One in this many runs uses another connection. */
export const RARE_EVERY = 1000;
/** One in this many runs fails, including cells of comparisons. */
export const FAILED_EVERY = 40;
const WORDS = 'the quick brown fox jumps over a lazy dog while rivers carve valleys at night'.split(
  ' ',
);
const SYLLABLES = ['ka', 'lo', 'mi', 'tar', 'ven', 'so', 'pri', 'dul', 'gex', 'wun', 'bri', 'cho'];

/** Writes finished chats with similar text. Most contain the word `everywhere`. */
export function fillLedger({ db }: Pick<Storage, 'db'>, runCount: number): void {
  const random = createRandom(7);
  const next = (count: number) => random.between(0, count - 1);
  const rare = () => Array.from({ length: 3 }, () => SYLLABLES[next(SYLLABLES.length)]).join('');
  const text = () =>
    Array.from({ length: 60 }, () => (next(4) === 0 ? rare() : WORDS[next(WORDS.length)])).join(
      ' ',
    );
  db.write(() => {
    for (let index = 0; index < runCount; index += 1) {
      // Shuffle the values, so that they aren't in order of time.
      const mixed = (index * 7919) % 100_003;
      const comparison = index % EVERY < CELLS ? `comparison-${Math.floor(index / EVERY)}` : null;
      if (index % EVERY === 0) {
        db.sql("INSERT INTO comparisons (id, created_at, title, plan) VALUES (?, ?, ?, '{}')").run(
          comparison,
          index,
          `Comparison ${index}`,
        );
      }
      const { lastInsertRowid } = db
        .sql(`INSERT INTO runs (id, operation, connection_id, connection_name, base_url, model, status,
          created_at, started_at, finished_at, tokens, preview, phase, media, request, extra_body,
          seq, indexed, cost, comparison_id, cell)
          VALUES (?, 'chat', ?, 'Demo', '', 'm', ?, ?, ?, ?, ?, '', '{"name":"working","task":null}',
          '[]', '{}', '{}', 0, 1, ?, ?, ?)`)
        .run(
          `run-${index}`,
          index % RARE_EVERY === 500 ? 'rare' : 'demo',
          index % FAILED_EVERY === 7 ? 'failed' : 'succeeded',
          index,
          index + 1,
          index + 2 + (mixed % 9973),
          mixed % 4001,
          (mixed % 503) / 10_000,
          comparison,
          comparison === null ? null : index % EVERY,
        );
      const words = `${index % 10 === 0 ? '' : 'everywhere '}${text()}`;
      db.sql('INSERT INTO run_texts (run, text) VALUES (?, ?)').run(lastInsertRowid, words);
    }
  });
}
