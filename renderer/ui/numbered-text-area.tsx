import { type ComponentPropsWithRef, useLayoutEffect, useRef, useState } from 'react';
import { Field, type FieldProps } from './field.tsx';
import styles from './numbered-text-area.module.css';

type AreaProps = Omit<ComponentPropsWithRef<'textarea'>, 'value' | 'onChange' | 'id' | 'className'>;

interface NumberedTextAreaProps extends FieldProps, AreaProps {
  value: string;
  onValueChange: (value: string) => void;
  /** Shown before each line; null for nothing. */
  numbers: readonly (number | null)[];
}

/** As the style has it: lines do not wrap, so each is as high as the next. */
const linePixels = 20;

/** A text in which every line is one thing, with its number before it. */
export function NumberedTextArea(props: NumberedTextAreaProps) {
  const { label, hideLabel, help, error, className, value, onValueChange, numbers, ...rest } =
    props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });

  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      setView({ top: element.scrollTop, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const first = Math.floor(view.top / linePixels);
  const shown = numbers.slice(first, first + Math.ceil(view.height / linePixels) + 1);
  return (
    <Field label={label} hideLabel={hideLabel} help={help} error={error} className={className}>
      {(ids) => (
        <div
          className={styles.box}
          data-wide={numbers.length > 999 || undefined}
          data-invalid={ids['aria-invalid'] || undefined}
        >
          <div className={styles.gutter} aria-hidden="true">
            <div style={{ transform: `translateY(${first * linePixels - view.top}px)` }}>
              {shown.map((number, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place.
                <div key={first + index} className={styles.number}>
                  {number}
                </div>
              ))}
            </div>
          </div>
          <textarea
            autoComplete="off"
            {...rest}
            {...ids}
            ref={area}
            wrap="off"
            className={styles.area}
            value={value}
            onChange={(event) => onValueChange(event.target.value)}
            onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
              setView({ top: scrollTop, height: clientHeight })
            }
          />
        </div>
      )}
    </Field>
  );
}
