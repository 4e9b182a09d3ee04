import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { KeyIcon } from '../ui/icons/status.tsx';
import { TextField } from '../ui/text-field.tsx';
import styles from './session-ended.module.css';
import { listUnsavedTexts, type UnsavedText, UnsavedTexts } from './unsaved-texts.tsx';

export function SessionEnded() {
  // Read the list once, because the user can no longer type.
  const [texts] = useState(listUnsavedTexts);
  return (
    <main className={styles.page}>
      <div role="alert" className={styles.message}>
        <EmptyState
          icon={<KeyIcon size={20} />}
          title="You’re signed out"
          action={
            <div className={styles.ways}>
              <FreshAddressForm alone />
              <Button variant="quiet" onClick={() => location.reload()}>
                Reload page
              </Button>
              <UnsavedTexts texts={texts} />
            </div>
          }
        >
          Gatehouse restarted or your session ended. Paste the URL from the terminal; press Enter
          there for a new one.{texts.length === 0 && ' Your data is saved.'}
        </EmptyState>
      </div>
    </main>
  );
}

interface FreshAddressFormProps {
  /** If true, the form covers the page and takes focus, with a list of unsaved texts below it. */
  alone?: boolean;
}

export function FreshAddressForm({ alone = false }: FreshAddressFormProps) {
  const [pasted, setPasted] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  /** Unsaved texts of this page, shown once the new page has opened. */
  const [left, setLeft] = useState<readonly UnsavedText[]>([]);
  const [isBlocked, setBlocked] = useState(false);

  function open(event: FormEvent) {
    event.preventDefault();
    const address = parseLoginUrl(pasted, location.hostname);
    if (address === null) setProblem('Paste the whole URL, including “?token=”.');
    else if (new URL(address).origin === location.origin) location.assign(address);
    else {
      const texts = listUnsavedTexts();
      setLeft(texts);
      // Keep this page open, because another origin can't receive its unsaved texts.
      if (texts.length > 0) setBlocked(!openTab(address));
      else location.assign(address);
    }
  }

  return (
    <form className={styles.form} onSubmit={open}>
      <TextField
        label="New URL"
        hideLabel
        autoFocus={alone}
        className={styles.field}
        monospace
        placeholder="http://127.0.0.1:…/?token=…"
        value={pasted}
        error={problem}
        onValueChange={(text) => {
          setPasted(text);
          setProblem(null);
        }}
      />
      <Button type="submit">Open</Button>
      {left.length > 0 && (
        <p role="status" className={styles.opened}>
          {isBlocked
            ? 'Your browser blocked the new tab. Open the URL in a new tab.'
            : 'Opened in a new tab.'}{' '}
          Copy your unsaved text below. The new tab won’t have it.
        </p>
      )}
      {!alone && <UnsavedTexts texts={left} compact />}
    </form>
  );
}

/** Returns false if blocked. Omits `noopener`, which makes `window.open` always return null. */
function openTab(address: string): boolean {
  const tab = window.open(address, '_blank');
  if (tab === null) return false;
  tab.opener = null;
  return true;
}
/** Extracts the login URL from terminal output; null if it has no token or another host. */
export function parseLoginUrl(pasted: string, hostname: string): string | null {
  const found = /http:\/\/\S+/.exec(pasted)?.[0];
  if (found === undefined || !URL.canParse(found)) return null;
  const url = new URL(found);
  const isHere = ['127.0.0.1', 'localhost', hostname].includes(url.hostname);
  return isHere && url.searchParams.get('token') ? url.href : null;
}
