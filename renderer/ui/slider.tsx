import { Slider as BaseSlider } from '@base-ui/react/slider';
import styles from './slider.module.css';

interface SliderProps {
  label: string;
  className?: string | undefined;
  value: number;
  onValueChange: (value: number) => void;
  min: number;
  max: number;
  step: number;
}

export function Slider({ label, className, value, onValueChange, min, max, step }: SliderProps) {
  return (
    <BaseSlider.Root
      className={className}
      value={value}
      onValueChange={onValueChange}
      min={min}
      max={max}
      step={step}
    >
      <BaseSlider.Control className={styles.control}>
        <BaseSlider.Track className={styles.track}>
          <BaseSlider.Indicator className={styles.filled} />
          <BaseSlider.Thumb aria-label={label} className={styles.thumb} />
        </BaseSlider.Track>
      </BaseSlider.Control>
    </BaseSlider.Root>
  );
}
