import { memo } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './completion.module.css';

interface ResultTextProps {
  parts: readonly TextPart[];
  streaming: boolean;
}

export function ResultText({ parts, streaming }: ResultTextProps) {
  const blocks = splitBlocks(parts);
  const growing = streaming
    ? blocks.findLastIndex((block) => block.some(({ kind }) => kind !== 'suffix'))
    : -1;
  return (
    <div className={styles.text}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added or extended at the end.
        <Block key={index} block={block} growing={index === growing} />
      ))}
    </div>
  );
}

const Block = memo(
  function Block({ block, growing }: { block: TextBlock; growing: boolean }) {
    const last = growing ? block.findLastIndex(({ kind }) => kind !== 'suffix') : -1;
    return (
      <p className={classNames(styles.block, 'verbatim')} dir="auto">
        {block.map((part, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a block keep their order.
            key={index}
            className={styles[part.kind]}
            data-growing={index === last || undefined}
          >
            {part.text}
          </span>
        ))}
        {block.length === 0 && <br />}
      </p>
    );
  },
  (before, after) => before.growing === after.growing && isSameBlock(before.block, after.block),
);

export interface TextPart {
  kind: 'prompt' | 'continuation' | 'suffix';
  text: string;
}

/** A block contains whole lines from one or more parts. */
type TextBlock = TextPart[];

const MIN_BLOCK_CHARS = 600;

/** Splits the text at line ends, so that streaming re-renders only the last block. */
export function splitBlocks(parts: readonly TextPart[]): TextBlock[] {
  const blocks: TextBlock[] = [];
  let block: TextBlock = [];
  let length = 0;
  for (const { kind, text } of parts) {
    let from = 0;
    while (from < text.length) {
      const lineEnd = text.indexOf('\n', from + Math.max(0, MIN_BLOCK_CHARS - length));
      const to = lineEnd === -1 ? text.length : lineEnd;
      if (to > from) block.push({ kind, text: text.slice(from, to) });
      length += to - from;
      from = to;
      if (lineEnd !== -1) {
        blocks.push(block);
        block = [];
        length = 0;
        from = lineEnd + 1;
      }
    }
  }
  if (block.length > 0) blocks.push(block);
  return blocks;
}

export function isSameBlock(before: TextBlock, after: TextBlock): boolean {
  return (
    before.length === after.length &&
    before.every((part, index) => {
      const other = after[index];
      return other !== undefined && part.kind === other.kind && part.text === other.text;
    })
  );
}
