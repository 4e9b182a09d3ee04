/** Markdown of an answer, also while it streams: React elements only, HTML shown as text. */
import styles from './markdown.module.css';
import { MarkdownBlocks } from './markdown-blocks.tsx';

interface MarkdownProps {
  text: string;
  /** More of it may come. */
  streaming?: boolean;
}

export function Markdown({ text, streaming = false }: MarkdownProps) {
  return (
    <div className={styles.markdown} data-streaming={streaming || undefined}>
      <MarkdownBlocks text={text} streaming={streaming} />
    </div>
  );
}
