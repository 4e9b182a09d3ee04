import { useState } from 'react';
import type { CertificateFacts } from '../../../shared/certificate.ts';
import type { ClientCertificate } from '../../../shared/connection-options.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { api } from '../../lib/api.ts';
import { findFieldMessage, getFieldErrors } from '../../lib/field-errors.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SecretField } from '../../ui/secret-field.tsx';
import { readChosenFiles } from './certificate-files.ts';
import styles from './connection-dialog.module.css';
import type { ConnectionFields } from './connection-fields.ts';
import { formatDay } from './connection-test.tsx';

interface ConnectionCertificatesProps {
  fields: ConnectionFields;
  errors: readonly FieldError[];
  onChange: (changed: Partial<ConnectionFields>) => void;
}

export function ConnectionCertificates({ fields, errors, onChange }: ConnectionCertificatesProps) {
  const { acceptedFingerprint } = fields;
  return (
    <fieldset className={classNames(styles.group, 'stack-12')}>
      <legend className={classNames(styles.legend, 'label')}>Certificates</legend>
      <CaCertificate ca={fields.ca} errors={errors} onChange={(ca) => onChange({ ca })} />
      <ClientCertificateField
        client={fields.client}
        errors={errors}
        onChange={(client) => onChange({ client })}
      />
      {acceptedFingerprint !== null && (
        <div className="row-8 between">
          <div className={styles.about}>
            <span>Accepted certificate of the gateway</span>
            <span className={classNames(styles.fingerprint, 'mono')}>{acceptedFingerprint}</span>
          </div>
          <Button size="small" onClick={() => onChange({ acceptedFingerprint: null })}>
            Remove accepted certificate
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface CaCertificateProps {
  ca: ConnectionFields['ca'];
  errors: readonly FieldError[];
  onChange: (ca: ConnectionFields['ca']) => void;
}

/** Edits a CA certificate that is trusted in addition to the system's. */
function CaCertificate({ ca, errors, onChange }: CaCertificateProps) {
  const reading = useAttempt();
  const [tooLarge, setTooLarge] = useState<string | null>(null);

  async function choose(files: File[]) {
    const { texts, problem } = await readChosenFiles(files);
    setTooLarge(problem);
    if (problem !== null || texts.length === 0) return;
    const text = texts.join('\n');
    await reading.attempt(async () => {
      const facts = await api.connections.readCertificate({ use: 'ca', text });
      onChange({ text, facts });
    });
  }

  const problem =
    tooLarge ??
    findFieldMessage(getFieldErrors(reading.error), 'text') ??
    findFieldMessage(getFieldErrors(reading.error), 'caCertificate') ??
    findFieldMessage(errors, 'caCertificate');
  return (
    <div className="stack-4">
      <div className="row-8 between">
        <div className={styles.about}>
          <span>CA certificate</span>
          <span className="hint">
            {ca === null
              ? 'A PEM file, trusted besides your system’s certificates.'
              : ca.facts.map(describeCertificate).join(' · ')}
          </span>
        </div>
        <div className="row-4">
          <FileButton
            size="small"
            busy={reading.busy}
            inputLabel="CA certificate file"
            accept=".pem,.crt,.cer,.ca-bundle"
            multiple
            onFiles={(files) => void choose(files)}
          >
            Choose CA file…
          </FileButton>
          {ca !== null && (
            <Button size="small" variant="quiet" onClick={() => onChange(null)}>
              Remove CA certificate
            </Button>
          )}
        </div>
      </div>
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      {problem === null && reading.error !== null && <ErrorAlert compact error={reading.error} />}
    </div>
  );
}

interface ClientCertificateProps {
  client: ConnectionFields['client'];
  errors: readonly FieldError[];
  onChange: (client: ConnectionFields['client']) => void;
}

/** Edits the client certificate: PEM files with the private key, or a PFX file. */
function ClientCertificateField({ client, errors, onChange }: ClientCertificateProps) {
  const [chosen, setChosen] = useState<ClientCertificate | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const reading = useAttempt();

  async function read(certificate: ClientCertificate) {
    setChosen(certificate);
    await reading.attempt(async () => {
      const input = { use: 'client' as const, certificate };
      const [facts] = await api.connections.readCertificate(input);
      if (facts === undefined) return;
      onChange({ certificate, facts });
      setChosen(null);
    });
  }

  async function choose(files: File[]) {
    const { certificate, problem, missing: part } = await readChosenFiles(files);
    setMissing(problem ?? part);
    if (certificate !== null) await read(certificate);
  }

  const fields = [...getFieldErrors(reading.error), ...errors];
  const passphraseProblem = findFieldMessage(fields, 'clientCertificate', 'passphrase');
  const problem =
    missing ?? (passphraseProblem === null ? findFieldMessage(fields, 'clientCertificate') : null);
  return (
    <div className="stack-4">
      <div className="row-8 between">
        <div className={styles.about}>
          <span>Client certificate</span>
          <span className="hint">
            {client === null
              ? 'PEM files of certificate and private key, or one PFX file.'
              : describeCertificate(client.facts)}
          </span>
        </div>
        <div className="row-4">
          <FileButton
            size="small"
            busy={reading.busy}
            inputLabel="Client certificate files"
            accept=".pem,.crt,.cer,.key,.pfx,.p12"
            multiple
            onFiles={(files) => void choose(files)}
          >
            Choose files…
          </FileButton>
          {client !== null && (
            <Button size="small" variant="quiet" onClick={() => onChange(null)}>
              Remove client certificate
            </Button>
          )}
        </div>
      </div>
      {problem !== null && <ProblemNote>{problem}</ProblemNote>}
      {chosen !== null && passphraseProblem !== null && (
        <div className={styles.passphrase}>
          <SecretField
            label="Passphrase"
            noun="passphrase"
            autoFocus
            value={chosen.passphrase ?? ''}
            error={passphraseProblem}
            onValueChange={(passphrase) => setChosen({ ...chosen, passphrase })}
          />
          <Button size="small" busy={reading.busy} onClick={() => void read(chosen)}>
            Open certificate
          </Button>
        </div>
      )}
    </div>
  );
}

function describeCertificate({ subject, validTo }: CertificateFacts): string {
  return `${subject || 'Unnamed'}, valid until ${formatDay(validTo)}`;
}
