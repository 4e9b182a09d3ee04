import { useState } from 'react';
import type { ConnectionTimeouts } from '../../../shared/connection-options.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { classNames } from '../../ui/class-names.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ConnectionCertificates } from './connection-certificates.tsx';
import styles from './connection-dialog.module.css';
import { ConnectionEndpoints } from './connection-endpoints.tsx';
import { type ConnectionFields, listAdvanced } from './connection-fields.ts';
import { ConnectionValues } from './connection-values.tsx';

interface ConnectionAdvancedProps {
  fields: ConnectionFields;
  /** Errors whose paths omit `options`. */
  errors: readonly FieldError[];
  startsOpen: boolean;
  onChange: (changed: Partial<ConnectionFields>) => void;
}

const ADVANCED = [
  'keyHeader',
  'headers',
  'query',
  'endpoints',
  'caCertificate',
  'clientCertificate',
  'acceptedFingerprint',
  'timeouts',
  'proxy',
];

/** Stays collapsed until needed, and summarizes the options that are set. */
export function ConnectionAdvanced(props: ConnectionAdvancedProps) {
  const { fields, errors, startsOpen, onChange } = props;
  const [isOpen, setIsOpen] = useState(startsOpen);
  const set = listAdvanced(fields);
  const hasError = errors.some(({ path }) => ADVANCED.includes(path[0] ?? ''));
  return (
    <details
      className={styles.advanced}
      open={isOpen || hasError}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className={styles.summary}>
        <span>Advanced</span>
        {set.length > 0 && <span className="hint">{set.join(', ')}</span>}
      </summary>
      <div className={classNames(styles.groups, 'stack-12')}>
        <KeyHeaderFields fields={fields} errors={errors} onChange={onChange} />
        <ConnectionValues
          noun="header"
          title="Headers"
          help="$NAME is read from the environment; write $$ for a dollar sign."
          values={fields.headers}
          isSecret
          errors={listErrorsWithin(errors, 'headers')}
          onChange={(headers) => onChange({ headers })}
        />
        <ConnectionValues
          noun="query parameter"
          title="Query parameters"
          help="Added to every request."
          values={fields.query}
          isSecret={false}
          errors={listErrorsWithin(errors, 'query')}
          onChange={(query) => onChange({ query })}
        />
        <ConnectionEndpoints
          endpoints={fields.endpoints}
          errors={listErrorsWithin(errors, 'endpoints')}
          onChange={(endpoints) => onChange({ endpoints })}
        />
        <ConnectionCertificates fields={fields} errors={errors} onChange={onChange} />
        <TimeoutFields fields={fields} errors={errors} onChange={onChange} />
        <ProxyFields fields={fields} errors={errors} onChange={onChange} />
      </div>
    </details>
  );
}

type GroupProps = Omit<ConnectionAdvancedProps, 'startsOpen'>;

function KeyHeaderFields({ fields: { keyHeader }, errors, onChange }: GroupProps) {
  return (
    <div className={styles.pair}>
      <TextField
        label="Key header"
        monospace
        placeholder="Authorization"
        value={keyHeader.name}
        onValueChange={(name) => onChange({ keyHeader: { ...keyHeader, name } })}
        error={findFieldMessage(errors, 'keyHeader', 'name')}
        help="Such as api-key or x-api-key."
      />
      <TextField
        label="Key scheme"
        monospace
        placeholder="None"
        value={keyHeader.scheme}
        onValueChange={(scheme) => onChange({ keyHeader: { ...keyHeader, scheme } })}
        error={findFieldMessage(errors, 'keyHeader', 'scheme')}
        help="Precedes the key. Bearer, Basic or empty."
      />
    </div>
  );
}

const timeoutFields: { name: keyof ConnectionTimeouts; label: string }[] = [
  { name: 'connectSeconds', label: 'Connect' },
  { name: 'firstByteSeconds', label: 'First byte' },
  { name: 'stallSeconds', label: 'Idle during response' },
];

function TimeoutFields({ fields: { timeouts }, errors, onChange }: GroupProps) {
  return (
    <fieldset className={classNames(styles.group, 'stack-8')}>
      <legend className={classNames(styles.legend, 'label')}>Timeouts in seconds</legend>
      <div className={styles.three}>
        {timeoutFields.map(({ name, label }) => (
          <NumberField
            key={name}
            label={label}
            min={0}
            placeholder="As in Settings"
            value={timeouts[name]}
            onValueChange={(seconds) => onChange({ timeouts: { ...timeouts, [name]: seconds } })}
            error={findFieldMessage(errors, 'timeouts', name)}
          />
        ))}
      </div>
    </fieldset>
  );
}

const proxies: { value: ConnectionFields['proxyKind']; label: string }[] = [
  { value: 'default', label: 'From the environment or system' },
  { value: 'none', label: 'None' },
  { value: 'url', label: 'Custom proxy' },
];

function ProxyFields({ fields, errors, onChange }: GroupProps) {
  const { proxyKind, proxyUrl, proxyHasLogin } = fields;
  return (
    <>
      <Select
        label="Proxy"
        value={proxyKind}
        options={proxies}
        onValueChange={(kind) => onChange({ proxyKind: kind })}
      />
      {proxyKind === 'url' && (
        <TextField
          label="Proxy URL"
          monospace
          placeholder="http://proxy.example:3128"
          value={proxyUrl}
          onValueChange={(url) => onChange({ proxyUrl: url })}
          error={findFieldMessage(errors, 'proxy')}
          help={
            proxyHasLogin
              ? 'Its saved user name and password are kept unless you enter others.'
              : 'May contain user:password@, which is kept like a key.'
          }
        />
      )}
    </>
  );
}

/** Returns the errors below `name`, without it in their paths. */
function listErrorsWithin(errors: readonly FieldError[], name: string): FieldError[] {
  return errors
    .filter(({ path }) => path[0] === name)
    .map(({ path, message }) => ({ path: path.slice(1), message }));
}
