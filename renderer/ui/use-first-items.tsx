import { type ReactNode, useState } from 'react';
import { formatCount } from '../lib/format-quantity.ts';
import { Button } from './button.tsx';

/** Rendering thousands of items at once would stop the page for seconds. */
const PART = 100;

interface FirstItems<Item> {
  first: readonly Item[];
  /** A button that shows the next items; null if all are shown. */
  more: ReactNode;
}

/** Limits a list that a gateway can make long. `noun` names the items, such as “tool calls”. */
export function useFirstItems<Item>(items: readonly Item[], noun: string): FirstItems<Item> {
  const [count, setCount] = useState(PART);
  const left = items.length - count;
  if (left <= 0) return { first: items, more: null };
  return {
    first: items.slice(0, count),
    more: (
      <Button size="small" variant="quiet" onClick={() => setCount(count + PART)}>
        Show {Math.min(left, PART)} more of {formatCount(items.length)} {noun}
      </Button>
    ),
  };
}
