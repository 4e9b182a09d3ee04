import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './url-field.module.css';

export interface UrlFieldProps {
  label: string;
  /** Also takes bare base64, which the gateway reads as it is. */
  takesBase64?: boolean;
  onUrl: (url: string) => void;
}

/** An address for the gateway to fetch; Gatehouse itself never does. */
export function UrlField({ label, takesBase64 = false, onUrl }: UrlFieldProps) {
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function add(event: FormEvent): void {
    event.preventDefault();
    const url = value.trim();
    const found = takesBase64 && isBase64(url) ? null : urlProblem(url);
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
        placeholder={takesBase64 ? 'https://… or base64' : 'https://…'}
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

/** In either alphabet, with or without its padding. A short one may be a word that was meant as an address. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{32,}={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
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
