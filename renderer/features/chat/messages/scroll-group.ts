/** Logs that scroll together: each shows the same part of the same message, however long it is there. */

/** `part` of the message `index` is above the view, from 0 to 1. */
export type ScrollPosition = 'end' | { index: number; part: number };

export interface ScrollMember {
  show: (position: ScrollPosition) => void;
}

export interface ScrollGroup {
  /** Returns what leaves it. */
  join: (member: ScrollMember) => () => void;
  /** The user has scrolled it. */
  moved: (member: ScrollMember, position: ScrollPosition) => void;
}

export function createScrollGroup(): ScrollGroup {
  const members = new Set<ScrollMember>();
  return {
    join(member) {
      members.add(member);
      return () => void members.delete(member);
    },
    moved(member, position) {
      for (const other of members) if (other !== member) other.show(position);
    },
  };
}
