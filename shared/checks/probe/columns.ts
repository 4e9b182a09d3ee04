/** Lists the columns of a probe's matrix. */
import { chatFormatSchema, type ProbeBody, type RowVerdict } from '../check.ts';

export type ProbeColumn = Pick<RowVerdict, 'model' | 'format'>;

/** Adds the default format, which other operations than chat have, where it has verdicts. */
export function listProbeColumns({
  models,
  formats,
  verdicts,
}: Pick<ProbeBody, 'models' | 'formats' | 'verdicts'>): ProbeColumn[] {
  return models.flatMap((model) =>
    chatFormatSchema.options.flatMap((format) =>
      formats.includes(format) ||
      verdicts.some((each) => each.model === model && each.format === format)
        ? { model, format }
        : [],
    ),
  );
}
