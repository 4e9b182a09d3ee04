import { getParamValue } from '../../../shared/param.ts';
import { clearParameter, setParameter } from '../../run/form/parameters.ts';
import { useForm } from '../../run/form/use-form.ts';
import { Select } from '../../ui/select.tsx';
import { videoForm as form } from './video-store.ts';

const notSet = '';
const custom = 'custom';

const sizes = [
  { ratio: '16:9', sides: ['854x480', '1280x720', '1920x1080'] },
  { ratio: '9:16', sides: ['480x854', '720x1280', '1080x1920'] },
  { ratio: '1:1', sides: ['480x480', '720x720', '1080x1080'] },
].flatMap(({ ratio, sides }) =>
  sides.map((value, index) => {
    const name = ['480p', '720p', '1080p'][index];
    return { value, label: `${ratio} · ${name} · ${value.replace('x', ' × ')}` };
  }),
);

/** Sets Width and Height together; other sizes are set in the parameters. */
export function SizePreset() {
  const size = useForm(form, ({ params }) => {
    const sides = [getParamValue(params, 'width'), getParamValue(params, 'height')];
    return sides.every((side) => side === undefined) ? notSet : sides.join('x');
  });
  const value = size === notSet || sizes.some((one) => one.value === size) ? size : custom;
  return (
    <Select
      label="Size"
      value={value}
      options={[
        { value: notSet, label: 'Not set' },
        ...sizes,
        ...(value === custom ? [{ value: custom, label: 'Custom' }] : []),
      ]}
      onValueChange={(chosen) => {
        if (chosen === custom) return;
        const [width, height] = chosen.split('x').map(Number);
        for (const [name, side] of [
          ['width', width],
          ['height', height],
        ] as const) {
          if (side === undefined || chosen === notSet) clearParameter(form, name);
          else setParameter(form, name, side);
        }
      }}
    />
  );
}
