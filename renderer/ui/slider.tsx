import { Slider as BaseSlider } from '@base-ui/react/slider';
import { classNames } from './class-names.ts';
import styles from './slider.module.css';

interface SliderProps {
  label: string;
  className?: string | undefined;
  value: number;
  /** Hides the thumb until the slider is used, because its position means nothing. */
  isUnset?: boolean;
  /** True beside a text box for the value, which takes the keys. */
  isBesideText?: boolean;
  onValueChange: (value: number) => void;
  min: number;
  max: number;
  step: number;
}

export function Slider(props: SliderProps) {
  const { label, className, value, isUnset = false, onValueChange, min, max, step } = props;
  const { isBesideText = false } = props;
  return (
    <BaseSlider.Root
      className={classNames(className, isUnset && styles.unset)}
      value={value}
      onValueChange={onValueChange}
      min={min}
      max={max}
      step={step}
    >
      <BaseSlider.Control className={styles.control}>
        <BaseSlider.Track className={styles.track}>
          <BaseSlider.Indicator className={styles.filled} />
          <BaseSlider.Thumb
            aria-label={label}
            className={styles.thumb}
            {...(isBesideText && { tabIndex: -1 })}
          />
        </BaseSlider.Track>
      </BaseSlider.Control>
    </BaseSlider.Root>
  );
}
