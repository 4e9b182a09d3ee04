interface Timed {
  start: number;
  end: number;
}

/** The one that is spoken at `seconds`, in a list ordered by time; -1 between two. */
export function activeAt(items: readonly Timed[], seconds: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item === undefined) return -1;
    if (seconds < item.start) high = middle - 1;
    else if (seconds >= item.end) low = middle + 1;
    else return middle;
  }
  return -1;
}
