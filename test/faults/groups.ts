/** Lists all faults in the order of the table. */
import type { FaultGroup } from './fault.ts';
import { framing } from './framing.ts';
import { practiceInChats } from './practice-chat.ts';
import { practiceInMedia } from './practice-media.ts';
import { redirects } from './redirects.ts';
import { secure } from './secure.ts';
import { statuses } from './statuses.ts';
import { texts } from './text.ts';
import { transport } from './transport.ts';

export const groups: FaultGroup[] = [
  ...practiceInChats,
  ...practiceInMedia,
  ...texts,
  ...framing,
  ...transport,
  ...secure,
  ...redirects,
  ...statuses,
];
