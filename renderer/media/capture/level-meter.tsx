import { useEffect, useRef } from 'react';
import styles from './level-meter.module.css';
import type { Recorder } from './recorder.ts';

/** Below it a microphone gives noise only. */
const FLOOR_DECIBELS = -60;

/** The loudest of the last moment, drawn without React: it changes twenty times a second. */
export function LevelMeter({ recorder }: { recorder: Pick<Recorder, 'onLevel'> }) {
  const meter = useRef<HTMLMeterElement>(null);

  useEffect(() => {
    let shown = FLOOR_DECIBELS;
    return recorder.onLevel((peak) => {
      const decibels = peak > 0 ? 20 * Math.log10(peak) : FLOOR_DECIBELS;
      // Falls slowly, so that the eye can follow.
      shown = Math.max(FLOOR_DECIBELS, decibels, shown - 3);
      if (meter.current !== null) meter.current.value = shown;
    });
  }, [recorder]);

  return (
    <meter
      ref={meter}
      className={styles.meter}
      aria-label="Input level"
      min={FLOOR_DECIBELS}
      max={0}
      high={-3}
      optimum={-20}
      value={FLOOR_DECIBELS}
    />
  );
}
