import { Icon, type IconProps } from './icon.tsx';

export function SendIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M6.5 3.5h6v6M12.2 3.8 4 12" />
    </Icon>
  );
}
