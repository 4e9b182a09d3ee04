import { Icon, type IconProps } from './icon.tsx';

export function CompareIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="2.2" y="3" width="4.6" height="10" rx="1" />
      <rect x="9.2" y="3" width="4.6" height="10" rx="1" />
    </Icon>
  );
}
