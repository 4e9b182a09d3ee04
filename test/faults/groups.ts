/** All faults, in the order of the table. */
import type { FaultGroup } from './fault.ts';
import { redirects } from './redirects.ts';
import { statuses } from './statuses.ts';

export const groups: FaultGroup[] = [...statuses, ...redirects];
