import { startTransition, useEffect, useState } from 'react';

/** How many of `total` parts are drawn: one more with each frame, so that a long list never takes the page at once. */
export function useGrowingCount(total: number): {
  count: number;
  /** Draws up to this part at once. */
  reach: (index: number) => void;
} {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count >= total) return undefined;
    const frame = requestAnimationFrame(() =>
      startTransition(() => setCount((before) => before + 1)),
    );
    return () => cancelAnimationFrame(frame);
  }, [count, total]);
  return {
    count: Math.min(count, total),
    reach: (index) => setCount((before) => Math.max(before, index + 1)),
  };
}
