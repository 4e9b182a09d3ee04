import { memo } from 'react';
import styles from './completion-result.module.css';

interface ResultTextProps {
  parts: readonly TextPart[];
  /** More of the continuation may come. */
  streaming: boolean;
}

/** Prompt, continuation and suffix as one running text, the continuation tinted. */
export function ResultText({ parts, streaming }: ResultTextProps) {
  const blocks = textBlocks(parts);
  const growing = streaming ? blocks.findLastIndex(beforeSuffix) : -1;
  return (
    <div className={styles.text}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end.
        <Block key={index} block={block} growing={index === growing} />
      ))}
    </div>
  );
}

const Block = memo(
  function Block({ block, growing }: { block: TextBlock; growing: boolean }) {
    const last = growing ? block.findLastIndex(({ kind }) => kind !== 'suffix') : -1;
    return (
      <p className={styles.block}>
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
  (before, after) => before.growing === after.growing && sameBlock(before.block, after.block),
);

export interface TextPart {
  kind: 'prompt' | 'continuation' | 'suffix';
  text: string;
}

/** A block of whole lines; its text came in one or more parts. */
type TextBlock = TextPart[];

function beforeSuffix(block: TextBlock): boolean {
  return block.some(({ kind }) => kind !== 'suffix');
}

const blockLength = 600;

/**
 * The parts as one running text, cut at line ends into blocks of some hundred characters. Blocks
 * but the last stay the same while the text grows, so a growing text costs one block a frame.
 */
export function textBlocks(parts: readonly TextPart[]): TextBlock[] {
  const blocks: TextBlock[] = [];
  let block: TextBlock = [];
  let length = 0;
  for (const { kind, text } of parts) {
    let from = 0;
    while (from < text.length) {
      const lineEnd = text.indexOf('\n', from + Math.max(0, blockLength - length));
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

export function sameBlock(before: TextBlock, after: TextBlock): boolean {
  return (
    before.length === after.length &&
    before.every((part, index) => {
      const other = after[index];
      return other !== undefined && part.kind === other.kind && part.text === other.text;
    })
  );
}

/** The generated text alone: with `echo` the reply begins with the prompt, letter by letter. */
export function getContinuation(text: string, prompt: string, echo: boolean): string {
  if (!echo) return text;
  if (text.startsWith(prompt)) return text.slice(prompt.length);
  return prompt.startsWith(text) ? '' : text;
}
