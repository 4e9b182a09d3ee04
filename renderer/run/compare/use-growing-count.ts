import { startTransition, useEffect, useState } from 'react';

/** Mounts an additional part per frame, so that a long list doesn't block the page. */
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
