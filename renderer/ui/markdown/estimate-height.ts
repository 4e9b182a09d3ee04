/** How tall finished blocks will be, so that the scroll bar hardly moves once they are painted. */
import { assertNever } from '../../../shared/assert-never.ts';
import { allGroups, type Block, countItems, GROUP } from './block.ts';

const LINE_PX = 22;
const CHARACTERS_PER_LINE = 95;
const GAP_PX = 12;

/** In pixels. */
export function estimateHeight(blocks: readonly Block[]): number {
  const height = blocks.reduce((sum, block) => sum + blockHeight(block) + GAP_PX, -GAP_PX);
  return Math.max(height, LINE_PX);
}

function blockHeight(block: Block): number {
  switch (block.kind) {
    case 'leaf':
      return textHeight(block.raw);
    case 'code':
      return countItems(block.lines, GROUP.codeLines) * 20 + 56;
    case 'table':
      return (countItems(block.rows, GROUP.rows) + 1) * 33;
    case 'quote':
      return textHeight(block.text);
    case 'list':
      return [...allGroups(block.items).flat(), block.current].reduce(
        (sum, item) => sum + textHeight(item) + 4,
        0,
      );
    default:
      return assertNever(block);
  }
}

function textHeight(text: string): number {
  const lines = text.trimEnd().split('\n');
  return lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS_PER_LINE)) * LINE_PX,
    0,
  );
}
