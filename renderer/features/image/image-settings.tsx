import type { ReactNode } from 'react';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import field from '../../run/form/parameter-field.module.css';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ResetIcon } from '../../ui/icons/actions.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './image.module.css';
import { imageLabels } from './image-labels.ts';
import {
  countChangedSettings,
  type ImageSettings as ImageSettingsValues,
} from './image-settings-values.ts';
import { changeSettings, clearMoreFields, useImageInput } from './image-store.ts';
import { Modalities } from './modalities.tsx';

const aspectRatios = [
  ['1:1', 'square'],
  ['16:9', 'wide'],
  ['9:16', 'tall'],
  ['4:3', ''],
  ['3:4', ''],
  ['3:2', ''],
  ['2:3', ''],
  ['5:4', ''],
  ['4:5', ''],
  ['21:9', 'cinematic'],
].map(([value = '', detail]) => ({ value, detail }));

const imageSizes = [
  { value: '1K', detail: 'about 1,024 px' },
  { value: '2K', detail: 'about 2,048 px' },
  { value: '4K', detail: 'about 4,096 px' },
];

/** The name that `showField` uses to find the free-form fields. */
export const moreFields = 'more_fields';

interface ImageSettingsProps {
  problem: string | null;
  /** False if the chosen format has no generation config. */
  isSent: boolean;
}

/** These lists are only suggestions, because `generationConfig` accepts any value. */
export function ImageSettings({ problem, isSent }: ImageSettingsProps) {
  const aspectRatio = useImageInput((input) => input.aspectRatio);
  const imageSize = useImageInput((input) => input.imageSize);
  const modalities = useImageInput((input) => input.responseModalities);
  const moreConfig = useImageInput((input) => input.moreConfig);
  const settings = { aspectRatio, imageSize, responseModalities: modalities, moreConfig };
  if (!isSent && countChangedSettings(settings) === 0) return null;
  /** Hides unset values that aren't sent, but shows set ones, so that they can be reset. */
  const isShown = (some: Partial<ImageSettingsValues>) =>
    isSent || countChangedSettings({ ...emptyInputs.image, ...some }) > 0;
  return (
    <section aria-label="Generation config" className={classNames(styles.group, 'stack-12')}>
      <div className="row-8">
        <h3 className={styles.groupTitle}>Generation config</h3>
        {!isSent && <span className="hint">Not sent in this format</span>}
      </div>
      {isShown({ responseModalities: modalities }) && (
        <Modalities
          value={modalities}
          onChange={(responseModalities) => changeSettings({ responseModalities })}
        />
      )}
      {isShown({ aspectRatio }) && (
        <SettingBox
          label="Aspect ratio"
          value={aspectRatio}
          onReset={() => changeSettings({ aspectRatio: '' })}
        >
          <Combobox
            label="Aspect ratio"
            value={aspectRatio}
            onValueChange={(next) => changeSettings({ aspectRatio: next })}
            suggestions={aspectRatios}
            placeholder="Not set"
          />
        </SettingBox>
      )}
      {isShown({ imageSize }) && (
        <SettingBox
          label="Image size"
          value={imageSize}
          onReset={() => changeSettings({ imageSize: '' })}
        >
          <Combobox
            label="Image size"
            value={imageSize}
            onValueChange={(next) => changeSettings({ imageSize: next })}
            suggestions={imageSizes}
            placeholder="Not set"
          />
        </SettingBox>
      )}
      {isShown({ moreConfig }) && (
        <div
          className={field.field}
          data-set={moreConfig.trim() !== '' || undefined}
          data-field={moreFields}
        >
          <TextArea
            label={imageLabels.moreConfig}
            value={moreConfig}
            onValueChange={(next) => changeSettings({ moreConfig: next })}
            error={problem}
            help="JSON object merged into generationConfig."
            placeholder={'{"temperature": 0.4}'}
            monospace
            autoGrow
            rows={2}
            maxRows={10}
          />
        </div>
      )}
      {moreConfig !== '' && problem === null && (
        <div>
          <Button size="small" variant="quiet" onClick={clearMoreFields}>
            Clear more fields
          </Button>
        </div>
      )}
    </section>
  );
}

interface SettingBoxProps {
  label: string;
  value: string;
  onReset: () => void;
  children: ReactNode;
}

/** Marks a set value with a dot and offers to reset it, as `ParameterField` does. */
function SettingBox({ label, value, onReset, children }: SettingBoxProps) {
  const isSet = value.trim() !== '';
  return (
    <div className={field.field} data-set={isSet || undefined}>
      {isSet && (
        <div className={field.meta}>
          <IconButton
            size="small"
            label={`Reset ${label}`}
            icon={<ResetIcon size={14} />}
            onClick={onReset}
          />
        </div>
      )}
      {children}
    </div>
  );
}
