import type { ReactNode } from 'react';

export interface IconProps {
  /** Pixels; 16 unless given. */
  size?: number;
}

/** The frame of every icon: a 16 px grid, one stroke, the text's color; silent for screen readers. */
export function Icon({ size = 16, children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.3}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      {children}
    </svg>
  );
}
