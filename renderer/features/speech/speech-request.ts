import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { ReadyRun } from '../../run/form/use-run-form.ts';
import { usualVoiceField } from './speech-store.ts';

/**
 * Under another wire name the voice travels with the extra body fields: the schema knows only the
 * usual one.
 */
export function speechRun(ready: ReadyRun, text: string, voiceField: string): ReadyRun {
  const { voice, ...request } = ready.request;
  const field = voiceField.trim();
  const renamed = voice !== undefined && field !== '' && field !== usualVoiceField;
  return {
    connectionId: ready.connectionId,
    request: {
      ...request,
      ...(voice !== undefined && !renamed && { voice }),
      input: text,
    },
    extraBody: renamed ? { [field]: voice as JsonValue, ...ready.extraBody } : ready.extraBody,
  };
}

/** The text that a recorded request asked for. */
export function textOfRequest(request: JsonObject): string {
  return typeof request.input === 'string' ? request.input : '';
}
