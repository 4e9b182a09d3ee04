import { defineIcon } from './icon.tsx';

export const PlusIcon = defineIcon(<path d="M8 3v10M3 8h10" />);

export const PromptsIcon = defineIcon(
  <>
    <path d="M4 2.5h6l2.5 2.5v8.5H4z" />
    <path d="M6.5 7h3.5M6.5 9.5h3.5" />
  </>,
);

export const PlayIcon = defineIcon(
  <path
    d="M5 3.4v9.2c0 .3.3.5.6.3l7-4.6a.4.4 0 0 0 0-.6l-7-4.6a.4.4 0 0 0-.6.3Z"
    fill="currentColor"
    stroke="none"
  />,
);

export const SendIcon = defineIcon(<path d="M8 13V3.2M3.8 7.4 8 3.2l4.2 4.2" strokeWidth={1.8} />);

export const StopIcon = defineIcon(
  <rect x="4" y="4" width="8" height="8" rx="1.4" fill="currentColor" stroke="none" />,
);

/** Two columns that scroll together. */
export const ScrollTogetherIcon = defineIcon(
  <path d="M4.5 3v10M2.5 5l2-2 2 2M2.5 11l2 2 2-2M11.5 3v10M9.5 5l2-2 2 2M9.5 11l2 2 2-2" />,
);

export const CopyIcon = defineIcon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.6" />
    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
  </>,
);

export const RetryIcon = defineIcon(
  <path d="M13.4 8a5.4 5.4 0 1 1-1.7-3.9l1.7 1.5M13.4 2.8v2.8h-2.8" />,
);

export const ResetIcon = defineIcon(
  <path d="M5.5 3 2.8 5.7l2.7 2.7M3 5.7h6.4a3.6 3.6 0 0 1 0 7.2H6" />,
);

export const TrashIcon = defineIcon(
  <path d="M2.8 4.3h10.4M6 4.2V3a.8.8 0 0 1 .8-.8h2.4A.8.8 0 0 1 10 3v1.2M4.2 4.5l.5 8a1.2 1.2 0 0 0 1.2 1.2h4.2a1.2 1.2 0 0 0 1.2-1.2l.5-8M6.7 7v4M9.3 7v4" />,
);

export const EditIcon = defineIcon(
  <path d="M9.8 3.7 12.3 6.2M3 13l.6-2.9 7.3-7.3a1 1 0 0 1 1.4 0l.9.9a1 1 0 0 1 0 1.4l-7.3 7.3L3 13Z" />,
);

export const SourceIcon = defineIcon(<path d="M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5" />);

export const SearchIcon = defineIcon(
  <>
    <circle cx="7" cy="7" r="4" />
    <path d="m10 10 3.5 3.5" />
  </>,
);

export const MoreIcon = defineIcon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth={2.2} />);

export const InspectIcon = defineIcon(
  <>
    <rect x="2" y="2.8" width="12" height="10.4" rx="1.6" />
    <path d="M2.2 8.8h11.6M5 11h3" />
  </>,
);

export const SidebarIcon = defineIcon(
  <>
    <rect x="2" y="2.8" width="12" height="10.4" rx="1.6" />
    <path d="M10 3v10" />
  </>,
);

/** Shows the list of conversations, on the side opposite to the parameters. */
export const ListIcon = defineIcon(
  <>
    <rect x="2" y="2.8" width="12" height="10.4" rx="1.6" />
    <path d="M7 3v10M4 5.6h1M4 8h1M4 10.4h1" />
  </>,
);

export const FilterIcon = defineIcon(<path d="M2.5 4h11M4.5 8h7M6.5 12h3" />);

export const CloseIcon = defineIcon(<path d="m4 4 8 8M12 4l-8 8" />);

export const CompareIcon = defineIcon(
  <>
    <rect x="2.2" y="3" width="4.6" height="10" rx="1" />
    <rect x="9.2" y="3" width="4.6" height="10" rx="1" />
  </>,
);

export const PinIcon = defineIcon(
  <path d="m9.6 2.6 3.8 3.8-1.2.6-.9 3.2-5.5-5.5 3.2-.9.6-1.2ZM6.9 9.1 2.8 13.2" />,
);

export const ArchiveIcon = defineIcon(
  <path d="M2.5 3.5h11v3h-11zM3.5 6.5v5.6c0 .5.4.9.9.9h7.2c.5 0 .9-.4.9-.9V6.5M6.5 9h3" />,
);

export const FolderIcon = defineIcon(
  <path d="M2.5 4.4c0-.5.4-.9.9-.9h3l1.5 1.7h4.7c.5 0 .9.4.9.9v5.5c0 .5-.4.9-.9.9H3.4a.9.9 0 0 1-.9-.9V4.4Z" />,
);

export const BranchIcon = defineIcon(
  <path d="M4.5 5.4v5.2M4.5 5.4a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM4.5 14a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM11.5 5.4a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM11.5 5.4c0 2.6-1.6 3.4-4 3.6-1.8.2-3 .7-3 1.6" />,
);

export const SelectIcon = defineIcon(
  <>
    <rect x="2.5" y="2.5" width="11" height="11" rx="2" />
    <path d="m5.3 8.2 1.9 1.9 3.6-4" />
  </>,
);

export const ImportIcon = defineIcon(
  <path d="M8 2.5v7M5 6.8l3 3 3-3M2.8 10.5v2.2c0 .4.4.8.8.8h8.8c.4 0 .8-.4.8-.8v-2.2" />,
);

export const EyeIcon = defineIcon(
  <>
    <path d="M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8Z" />
    <circle cx="8" cy="8" r="1.9" />
  </>,
);

export const EyeOffIcon = defineIcon(
  <path d="M6.4 4A6 6 0 0 1 8 3.8c4 0 6.2 4.2 6.2 4.2a10 10 0 0 1-1.6 2.1M4.2 5.1A9.7 9.7 0 0 0 1.8 8S4 12.2 8 12.2a6 6 0 0 0 2.7-.6M6.7 6.7a1.9 1.9 0 0 0 2.6 2.6M2.5 2.5l11 11" />,
);
