import { defineIcon } from './icon.tsx';

export const PauseIcon = defineIcon(<path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth={2.4} />);

export const DownloadIcon = defineIcon(<path d="M8 2.5v7.2M5 7l3 3 3-3M3 12.8h10" />);

export const PaperclipIcon = defineIcon(
  <path d="m13 7.6-5 5a3.1 3.1 0 0 1-4.4-4.4l5.3-5.3a2.1 2.1 0 0 1 3 3l-5.2 5.2a1 1 0 0 1-1.5-1.5l4.7-4.7" />,
);

export const LoopIcon = defineIcon(
  <path d="M11 2.2 13.2 4.4 11 6.6M13 4.4H5.4A2.8 2.8 0 0 0 2.6 7.2v.6M5 13.8l-2.2-2.2L5 9.4M3 11.6h7.6a2.8 2.8 0 0 0 2.8-2.8v-.6" />,
);

export const MicrophoneIcon = defineIcon(
  <>
    <rect x="5.8" y="1.8" width="4.4" height="7.6" rx="2.2" />
    <path d="M3.4 7.6a4.6 4.6 0 0 0 9.2 0M8 12.2v2" />
  </>,
);

export const FileIcon = defineIcon(
  <path d="M4 2.2h5l3.2 3.2v8a.6.6 0 0 1-.6.6H4.2a.6.6 0 0 1-.6-.6V2.8c0-.3.2-.6.5-.6ZM8.8 2.4v3.2H12" />,
);

export const MinusIcon = defineIcon(<path d="M3 8h10" />);

export const FitIcon = defineIcon(
  <path d="M2.5 6V3.2c0-.4.3-.7.7-.7H6M10 2.5h2.8c.4 0 .7.3.7.7V6M13.5 10v2.8c0 .4-.3.7-.7.7H10M6 13.5H3.2a.7.7 0 0 1-.7-.7V10" />,
);

export const ArrowUpIcon = defineIcon(<path d="M8 13V3M4 7l4-4 4 4" />);
