/** A streaming renderer: finished blocks are memoized in groups, and HTML appears as text. */
import { memo, useRef } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import {
  type Block,
  countItems,
  GROUP,
  joinCode,
  type ListBlock,
  listGroups,
  MAX_DEPTH,
} from './block.ts';
import { CodeBlock } from './code-block.tsx';
import { DiagramBlock } from './diagram-block.tsx';
import { appendText, emptyDocument, show } from './document.ts';
import { FootnoteList, FootnotesProvider } from './footnotes.tsx';
import { estimateHeight, useGradualMount } from './gradual-mount.ts';
import { DefinitionsContext } from './inline.tsx';
import { LeafBlock } from './leaf-block.tsx';
import { isRule } from './line-rules.ts';
import styles from './markdown.module.css';
import { MathBlock } from './math.tsx';
import { TableBlock } from './table-block.tsx';

interface MarkdownProps {
  text: string;
  streaming?: boolean;
}

export function Markdown({ text, streaming = false }: MarkdownProps) {
  return (
    <div className={styles.markdown} data-streaming={streaming || undefined}>
      <MarkdownBlocks text={text} streaming={streaming} />
    </div>
  );
}

interface MarkdownBlocksProps {
  text: string;
  streaming: boolean;
  depth?: number;
}

function MarkdownBlocks({ text, streaming, depth = 0 }: MarkdownBlocksProps) {
  // The ref is only a cache: `appendText` returns the same result for any earlier document.
  const cache = useRef(emptyDocument);
  cache.current = depth > MAX_DEPTH ? emptyDocument : appendText(cache.current, text);
  const waiting = useGradualMount(cache.current.blocks.groups.length);
  if (depth > MAX_DEPTH) return <p className={styles.literal}>{text}</p>;
  const { blocks, open, footnotes, definitions, labels } = show(cache.current, text, streaming);
  const openNote = open?.kind === 'footnote' ? open : null;
  const notes = openNote === null ? footnotes : [...footnotes, openNote];
  const last = open === null || open === openNote ? blocks.rest : [...blocks.rest, open];
  // The last block is closed, so the next words start a new block below it.
  const newest = open ?? blocks.rest.at(-1) ?? blocks.groups.at(-1)?.at(-1);
  const showsCaretBelow = streaming && open === null && newest !== undefined && isClosed(newest);
  const full = blocks.groups.map((group, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added.
    <BlockGroup key={index} blocks={group} isFull={depth === 0} depth={depth} />
  ));
  // Use one keyed list in both cases, so that mounted groups stay mounted.
  const shown =
    waiting === null
      ? full
      : [
          ...full.slice(0, waiting.start),
          <div
            key="waiting"
            style={{ height: sumHeights(blocks.groups.slice(waiting.start, waiting.end)) }}
          />,
          ...full.slice(waiting.end),
        ];
  const content = (
    <>
      {shown}
      {last.length > 0 && (
        <BlockGroup
          key={blocks.groups.length}
          blocks={last}
          growingBlock={open}
          isFull={false}
          depth={depth}
        />
      )}
      {showsCaretBelow && <p key="caret" className={styles.literal} />}
      {notes.length > 0 && (
        <FootnoteList
          notes={notes}
          growing={streaming ? openNote : null}
          renderNote={(note) => (
            <MarkdownBlocks text={note.text} streaming={note === openNote} depth={depth + 1} />
          )}
        />
      )}
    </>
  );
  if (depth > 0) return content;
  return (
    <DefinitionsContext value={definitions}>
      <FootnotesProvider labels={labels}>{content}</FootnotesProvider>
    </DefinitionsContext>
  );
}

function isClosed(block: Block): boolean {
  return block.kind === 'code' || (block.kind === 'leaf' && isRule(block.raw.trim()));
}

function sumHeights(groups: readonly (readonly Block[])[]): number {
  return groups.reduce((sum, group) => sum + estimateHeight(group), 0);
}

interface BlockGroupProps {
  blocks: readonly Block[];
  growingBlock?: Block | null;
  isFull: boolean;
  depth: number;
}

const BlockGroup = memo(function BlockGroup({
  blocks,
  growingBlock = null,
  isFull,
  depth,
}: BlockGroupProps) {
  const style = isFull
    ? { containIntrinsicBlockSize: `auto ${estimateHeight(blocks)}px` }
    : undefined;
  return (
    <div className={styles.group} data-full={isFull || undefined} style={style}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added.
        <BlockView key={index} block={block} growing={block === growingBlock} depth={depth} />
      ))}
    </div>
  );
});

interface BlockViewProps {
  block: Block;
  growing: boolean;
  depth: number;
}

const BlockView = memo(function BlockView({ block, growing, depth }: BlockViewProps) {
  switch (block.kind) {
    case 'leaf':
      return <LeafBlock raw={block.raw} growing={growing} isNested={depth > 0} />;
    case 'code':
      if (block.info === 'math' && !growing) return <MathBlock source={joinCode(block)} />;
      if (block.info === 'mermaid' && !growing) {
        return <DiagramBlock key={joinCode(block)} block={block} />;
      }
      return <CodeBlock block={block} complete={!growing} />;
    case 'math':
      return <MathBlock source={block.source.trim()} growing={growing} />;
    case 'table':
      return <TableBlock block={block} />;
    case 'quote':
      return (
        <blockquote dir="auto">
          <MarkdownBlocks text={block.text} streaming={growing} depth={depth + 1} />
        </blockquote>
      );
    case 'list':
      return <List block={block} growing={growing} depth={depth} />;
    case 'footnote':
      return null;
    default:
      return assertNever(block);
  }
});

function List({ block, growing, depth }: BlockViewProps & { block: ListBlock }) {
  const groups = listGroups(block.items);
  const items = groups.map((group, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever added.
    <ItemGroup key={index} items={group} depth={depth} />
  ));
  const current = (
    <Item
      key={`item ${countItems(block.items, GROUP.items)}`}
      text={block.current}
      growing={growing}
      depth={depth}
    />
  );
  const Tag = block.ordered ? 'ol' : 'ul';
  return (
    <Tag
      dir="auto"
      className={styles.list}
      data-loose={block.loose || undefined}
      {...(block.ordered && { start: block.start })}
    >
      {items}
      {current}
    </Tag>
  );
}

interface ItemGroupProps {
  items: readonly string[];
  depth: number;
}

const ItemGroup = memo(function ItemGroup({ items, depth }: ItemGroupProps) {
  return items.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever added.
    <Item key={index} text={text} growing={false} depth={depth} />
  ));
});

interface ItemProps {
  text: string;
  growing: boolean;
  depth: number;
}

const Item = memo(function Item({ text, growing, depth }: ItemProps) {
  const mark = /^\[([ xX])\][ \t]/.exec(text)?.[1];
  const isDone = mark !== ' ';
  const shown = mark === undefined ? text : text.slice(4);
  return (
    <li data-task={mark === undefined ? undefined : true}>
      {mark !== undefined && (
        <input type="checkbox" checked={isDone} disabled aria-label={isDone ? 'Done' : 'To do'} />
      )}
      <MarkdownBlocks text={shown} streaming={growing} depth={depth + 1} />
    </li>
  );
});
