import type { ComponentType } from 'react';
import { type Verdict, verdictLabels } from '../../../shared/checks/check.ts';
import { CloseIcon } from '../../ui/icons/actions.tsx';
import { defineIcon, type IconProps } from '../../ui/icons/icon.tsx';
import { CheckIcon } from '../../ui/icons/status.tsx';
import styles from './check.module.css';

const IgnoredIcon = defineIcon(
  <>
    <circle cx="8" cy="8" r="5.2" />
    <path d="m4.4 11.6 7.2-7.2" />
  </>,
);
const UnclearIcon = defineIcon(<path d="M3.5 8h9" strokeDasharray="2 1.5" />);

const icons: Record<Verdict, ComponentType<IconProps>> = {
  honored: CheckIcon,
  ignored: IgnoredIcon,
  rejected: CloseIcon,
  unclear: UnclearIcon,
};

/** Shows an icon and a word, because color alone isn't accessible. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const Icon = icons[verdict];
  return (
    <span className={styles.verdict} data-verdict={verdict}>
      <Icon size={14} />
      {verdictLabels[verdict]}
    </span>
  );
}
