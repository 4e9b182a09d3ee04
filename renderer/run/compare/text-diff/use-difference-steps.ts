import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';

interface DifferenceSteps {
  /** Index of the difference that the user has gone to; -1 for none yet. */
  current: number;
  go: (by: 1 | -1) => void;
  /** N and P, wherever the focus is in the differences. */
  onKeyDown: (event: KeyboardEvent) => void;
  /** Around what is marked with `data-change`, the difference's index. */
  root: RefObject<HTMLDivElement | null>;
}

/** From difference to difference, round the ends. `count`: how many there are, `drawnCount`: blocks on the page. */
export function useDifferenceSteps(
  count: number,
  drawnCount: number,
  show: (index: number) => void,
): DifferenceSteps {
  const [reached, setReached] = useState(-1);
  const [moves, setMoves] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const shownMove = useRef(0);
  const current = Math.min(reached, count - 1);

  useEffect(() => {
    if (moves === shownMove.current) return undefined;
    const mark = root.current?.querySelector(`[data-change="${current}"]`);
    // Not drawn yet: again when more is drawn.
    if (!mark || drawnCount === 0) return undefined;
    shownMove.current = moves;
    return showWhenLaidOut(mark);
  }, [moves, current, drawnCount]);

  function go(by: 1 | -1): void {
    if (count === 0) return;
    const next = current < 0 && by < 0 ? count - 1 : (current + by + count) % count;
    show(next);
    setReached(next);
    setMoves((before) => before + 1);
  }

  return {
    current,
    go,
    root,
    onKeyDown: (event) => {
      const by = { n: 1 as const, p: -1 as const }[event.key.toLowerCase()];
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.matches('input[type="text"], textarea')) {
        return;
      }
      event.preventDefault();
      go(by);
    },
  };
}

const framesToLayOut = 4;

/** What comes near is laid out only then, and may be higher or lower than it was taken for. */
function showWhenLaidOut(mark: Element): () => void {
  let frame = 0;
  let left = framesToLayOut;
  function show(): void {
    mark.scrollIntoView({ block: 'center' });
    left -= 1;
    if (left > 0) frame = requestAnimationFrame(show);
  }
  show();
  return () => cancelAnimationFrame(frame);
}
