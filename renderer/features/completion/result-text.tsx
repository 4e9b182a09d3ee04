import { memo } from 'react';
import styles from './completion-result.module.css';
import { sameBlock, type TextBlock, type TextPart, textBlocks } from './text-blocks.ts';

/** Prompt, continuation and suffix as one running text, the continuation in another colour. */
export function ResultText({ parts }: { parts: readonly TextPart[] }) {
  return (
    <div className={styles.text}>
      {textBlocks(parts).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end.
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

const Block = memo(
  function Block({ block }: { block: TextBlock }) {
    return (
      <p className={styles.block}>
        {block.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a block keep their order.
          <span key={index} className={styles[part.kind]}>
            {part.text}
          </span>
        ))}
        {block.length === 0 && <br />}
      </p>
    );
  },
  (before, after) => sameBlock(before.block, after.block),
);
