/** Mounts a long text over several frames, so that opening it never holds up the page. */
import { useEffect, useState } from 'react';

const AT_ONCE = 6;
const PER_FRAME = 4;
const AT_START = 1;

/** Which of the `count` groups are not mounted yet: the end comes first, for that is where readers are. */
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
