import { defineIcon } from './icon.tsx';

export const CheckIcon = defineIcon(<path d="m3.2 8.4 3.1 3.1 6.5-7" />);

export const ChevronDownIcon = defineIcon(<path d="m4.5 6.5 3.5 3.5 3.5-3.5" />);

export const ChevronRightIcon = defineIcon(<path d="m6.5 4.5 3.5 3.5-3.5 3.5" />);

export const ChevronLeftIcon = defineIcon(<path d="M9.5 4.5 6 8l3.5 3.5" />);

export const ArrowDownIcon = defineIcon(<path d="M8 3v10M4 9l4 4 4-4" />);

export const InfoIcon = defineIcon(
  <>
    <circle cx="8" cy="8" r="5.7" />
    <path d="M8 7.3v3.4M8 5.2h.01" />
  </>,
);

export const WarningIcon = defineIcon(
  <path d="M7.1 3 2 11.8a1 1 0 0 0 .9 1.5h10.2a1 1 0 0 0 .9-1.5L8.9 3a1 1 0 0 0-1.8 0ZM8 6.3v3M8 11.3h.01" />,
);

export const ErrorIcon = defineIcon(
  <>
    <circle cx="8" cy="8" r="5.7" />
    <path d="M8 4.9v3.7M8 10.9h.01" />
  </>,
);

export const KeyIcon = defineIcon(
  <>
    <circle cx="5.4" cy="10.6" r="2.7" />
    <path d="m7.4 8.6 5.8-5.8M10.4 5.6l2 2M11.9 4.1l1.3 1.3" />
  </>,
);

export const StarIcon = defineIcon(
  <path d="m8 2.4 1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.1l-3.4 1.8.7-3.8-2.8-2.7 3.8-.5L8 2.4Z" />,
);

export const StarredIcon = defineIcon(
  <path
    d="m8 2.4 1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.1l-3.4 1.8.7-3.8-2.8-2.7 3.8-.5L8 2.4Z"
    fill="currentColor"
  />,
);

export const VisionIcon = defineIcon(
  <>
    <path d="M1.8 8s2.3-4 6.2-4 6.2 4 6.2 4-2.3 4-6.2 4-6.2-4-6.2-4Z" />
    <circle cx="8" cy="8" r="1.8" />
  </>,
);

export const ToolIcon = defineIcon(
  <path d="M13.2 5.2 11 7.4 8.6 5l2.2-2.2a3.6 3.6 0 0 0-4.6 4.6L2.7 10.9a1.4 1.4 0 0 0 2.4 2.4l3.5-3.5a3.6 3.6 0 0 0 4.6-4.6Z" />,
);
