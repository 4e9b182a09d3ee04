import { startTransition, useEffect, useState } from 'react';

/** Increases the count by one per frame, so that a long list doesn't block the page. */
export function useGrowingCount(total: number): {
  count: number;
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
