import type { ReactNode } from 'react';

export interface IconProps {
  /** The size in pixels; the default is 16. */
  size?: number;
}

/** Defines an icon on a 16 px grid. It uses the text color and is hidden from screen readers. */
export function defineIcon(shapes: ReactNode) {
  return function Icon({ size = 16 }: IconProps) {
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
        {shapes}
      </svg>
    );
  };
}
