// Hand-written because Base UI has no text area with line numbers.
import { Field as BaseField } from '@base-ui/react/field';
import { type ComponentPropsWithRef, useLayoutEffect, useRef, useState } from 'react';
import { Field, type FieldProps, splitProps } from './field.tsx';
import styles from './numbered-text-area.module.css';

type AreaProps = Omit<ComponentPropsWithRef<'textarea'>, 'value' | 'onChange' | 'id' | 'className'>;

interface NumberedTextAreaProps extends FieldProps, AreaProps {
  value: string;
  onValueChange: (value: string) => void;
  /** The number shown before each line; null shows none. */
  numbers: readonly (number | null)[];
}

/** Must match the line height in numbered-text-area.module.css; lines never wrap. */
const LINE_PIXELS = 20;

/** Renders a text area with one item per line, each with a number. */
export function NumberedTextArea(props: NumberedTextAreaProps) {
  const { field, control } = splitProps(props);
  const { value, onValueChange, numbers, ...rest } = control;
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

  const first = Math.floor(view.top / LINE_PIXELS);
  const shown = numbers.slice(first, first + Math.ceil(view.height / LINE_PIXELS) + 1);
  return (
    <Field {...field}>
      <div className={styles.box} data-wide={numbers.length > 999 || undefined}>
        <div className={styles.gutter} aria-hidden="true">
          <div style={{ transform: `translateY(${first * LINE_PIXELS - view.top}px)` }}>
            {shown.map((number, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
              <div key={first + index} className={styles.number}>
                {number}
              </div>
            ))}
          </div>
        </div>
        <BaseField.Control
          render={<textarea dir="auto" autoComplete="off" {...rest} ref={area} wrap="off" />}
          className={styles.area}
          value={value}
          onValueChange={onValueChange}
          onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
            setView({ top: scrollTop, height: clientHeight })
          }
        />
      </div>
    </Field>
  );
}
