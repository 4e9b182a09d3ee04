import { VList } from 'virtua';
import styles from './transcript.module.css';

/** The reply as it came, a line a row: one huge text node would freeze the page. */
export function RawReply({ raw }: { raw: string }) {
  return (
    <div className={styles.raw}>
      <VList bufferSize={1200}>
        {raw.split('\n').map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <div key={index} className={styles.line}>
            {line === '' ? '\u00a0' : line}
          </div>
        ))}
      </VList>
    </div>
  );
}
