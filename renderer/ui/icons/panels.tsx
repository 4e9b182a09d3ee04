import { defineIcon } from './icon.tsx';

export const ChatIcon = defineIcon(
  <path d="M13.5 7.6a5 5 0 0 1-5.3 4.9c-.8 0-1.6-.2-2.3-.5L2.7 13l.9-2.7A4.8 4.8 0 0 1 3 7.6a5.1 5.1 0 0 1 5.2-4.9 5.1 5.1 0 0 1 5.3 4.9Z" />,
);

export const CompletionIcon = defineIcon(
  <path d="M2.5 4h11M2.5 8h5.5M2.5 12h3.5M9.5 11.5h4M11.5 9.5v4" />,
);

export const ImageIcon = defineIcon(
  <>
    <rect x="2.5" y="3" width="11" height="10" rx="1.6" />
    <circle cx="5.8" cy="6.3" r="1" />
    <path d="m3 11.6 3-2.8 2 1.8 2.6-2.9 2.8 2.9" />
  </>,
);

export const VideoIcon = defineIcon(
  <>
    <rect x="2" y="4" width="8.5" height="8" rx="1.6" />
    <path d="m10.5 7.4 3.5-2v5.2l-3.5-2" />
  </>,
);

export const RerankIcon = defineIcon(
  <path d="M4.5 12.5v-9M2.5 5.5l2-2 2 2M9 4h4.5M9 8h3.2M9 12h1.8" />,
);

export const EmbeddingsIcon = defineIcon(
  <>
    <path d="M2.5 2.5v11h11" />
    <circle cx="6" cy="9.6" r="1" />
    <circle cx="8" cy="7.4" r="1" />
    <circle cx="12" cy="4.2" r="1" />
    <circle cx="10.8" cy="10" r="1" />
  </>,
);

export const SpeechIcon = defineIcon(
  <path d="M2.5 6.3v3.4h2.3L8 12.5v-9L4.8 6.3H2.5ZM10.3 6.2a2.6 2.6 0 0 1 0 3.6M12.2 4.3a5.3 5.3 0 0 1 0 7.4" />,
);

export const TranscriptionIcon = defineIcon(
  <>
    <rect x="6" y="2" width="4" height="7.2" rx="2" />
    <path d="M3.8 7.6a4.2 4.2 0 0 0 8.4 0M8 11.8V14" />
  </>,
);

export const ConsoleIcon = defineIcon(
  <>
    <rect x="2" y="3" width="12" height="10" rx="1.6" />
    <path d="m4.7 6.3 1.8 1.7-1.8 1.7M8.3 10h2.6" />
  </>,
);

export const CheckPanelIcon = defineIcon(
  <path d="m2.4 4.4 1.2 1.2 2.2-2.4M2.4 10.9l1.2 1.2 2.2-2.4M8.5 4.5h5M8.5 11h5" />,
);

export const HistoryIcon = defineIcon(
  <path d="M2.6 8a5.4 5.4 0 1 0 1.7-3.9L2.6 5.6M2.6 2.8v2.8h2.8M8 5v3.2l2.1 1.3" />,
);

export const LibraryIcon = defineIcon(
  <>
    <path d="M4 2.5h8M3 5h10" />
    <rect x="2" y="7.5" width="12" height="6" rx="1.6" />
  </>,
);

export const SettingsIcon = defineIcon(
  <>
    <path d="M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6" />
    <circle cx="10.2" cy="4.5" r="1.7" />
    <circle cx="5.8" cy="11.5" r="1.7" />
  </>,
);
