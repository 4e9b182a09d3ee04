import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './url-field.module.css';

export interface UrlFieldProps {
  label: string;
  onUrl: (url: string) => void;
}

/** An address for the gateway to fetch; Gatehouse itself never does. */
export function UrlField({ label, onUrl }: UrlFieldProps) {
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function add(event: FormEvent): void {
    event.preventDefault();
    const url = value.trim();
    const found = urlProblem(url);
    setProblem(found);
    if (found !== null) return;
    onUrl(url);
    setValue('');
  }

  return (
    <form className={styles.form} noValidate onSubmit={add}>
      <TextField
        label={label}
        className={styles.field}
        type="url"
        inputMode="url"
        placeholder="https://…"
        value={value}
        error={problem}
        onValueChange={(next) => {
          setValue(next);
          setProblem(null);
        }}
      />
      <Button type="submit" aria-label={`Add ${label}`}>
        Add
      </Button>
    </form>
  );
}

/** Null for http, https and data addresses. */
export function urlProblem(url: string): string | null {
  if (url === '') return 'Enter a URL.';
  const parsed = URL.parse(url);
  if (parsed === null) return 'Enter a full URL that starts with https://.';
  if (parsed.protocol === 'data:') {
    return /^data:[^,]*,./s.test(url) ? null : 'This data URL is empty.';
  }
  return ['http:', 'https:'].includes(parsed.protocol)
    ? null
    : `Gateways cannot fetch ${parsed.protocol} URLs. Use https:// or attach the file.`;
}
