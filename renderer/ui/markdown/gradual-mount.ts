/** Mounts long text over several frames to keep the page responsive. */
import { useEffect, useState } from 'react';
import { assertNever } from '../../../shared/assert-never.ts';
import { type Block, countItems, GROUP, listGroups } from './block.ts';

const AT_ONCE = 6;
const PER_FRAME = 4;
const AT_START = 1;

/**
 * Returns the groups to mount later, or null. The end mounts first, because readers start there.
 */
export function useGradualMount(count: number): { start: number; end: number } | null {
  const [mounted, setMounted] = useState(count <= AT_ONCE ? Number.POSITIVE_INFINITY : AT_ONCE);
  const isComplete = mounted >= count;
  useEffect(() => {
    if (isComplete) {
      setMounted(Number.POSITIVE_INFINITY);
      return;
    }
    const frame = setTimeout(() => setMounted(mounted + PER_FRAME), 16);
    return () => clearTimeout(frame);
  }, [mounted, isComplete]);
  return isComplete ? null : { start: AT_START, end: count - (mounted - AT_START) };
}

const LINE_PX = 22;
const CHARACTERS_PER_LINE = 95;
const GAP_PX = 12;

/** Estimates the height in pixels, so the scroll bar stays steady as blocks render. */
export function estimateHeight(blocks: readonly Block[]): number {
  const height = blocks.reduce((sum, block) => sum + estimateBlockHeight(block) + GAP_PX, -GAP_PX);
  return Math.max(height, LINE_PX);
}

function estimateBlockHeight(block: Block): number {
  switch (block.kind) {
    case 'leaf':
      return estimateTextHeight(block.raw);
    case 'code':
      return countItems(block.lines, GROUP.codeLines) * 20 + 56;
    case 'table':
      return (countItems(block.rows, GROUP.rows) + 1) * 33;
    case 'quote':
    case 'footnote':
      return estimateTextHeight(block.text);
    case 'math':
      return estimateTextHeight(block.source);
    case 'list':
      return [...listGroups(block.items).flat(), block.current].reduce(
        (sum, item) => sum + estimateTextHeight(item) + 4,
        0,
      );
    default:
      return assertNever(block);
  }
}

function estimateTextHeight(text: string): number {
  const lines = text.trimEnd().split('\n');
  return lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS_PER_LINE)) * LINE_PX,
    0,
  );
}
