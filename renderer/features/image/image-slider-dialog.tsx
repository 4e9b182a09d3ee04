import { type CSSProperties, type PointerEvent, useState } from 'react';
import { getMediaUrl } from '../../../shared/media.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import type { SheetImage } from './contact-sheet.ts';
import styles from './wipe-dialog.module.css';

interface WipeDialogProps {
  title?: string;
  images: readonly SheetImage[];
  left: SheetImage;
  right: SheetImage;
  onChoose: (leftId: string, rightId: string) => void;
  onClose: () => void;
}

export function ImageSliderDialog(props: WipeDialogProps) {
  const { title = 'Compare with slider', images, left, right, onChoose, onClose } = props;
  const [percent, setPercent] = useState(50);
  const options = images.map(({ id, title }) => ({ value: id, label: title }));
  return (
    <Dialog open title={title} size="full" onClose={onClose}>
      <div className={classNames(styles.view, 'stack-12')}>
        <div className={styles.stage}>
          <Frame left={left} right={right} percent={percent} onPercent={setPercent} />
        </div>
        <Slider
          label="Divider"
          value={percent}
          min={0}
          max={100}
          step={1}
          onValueChange={setPercent}
        />
        <div className={styles.choice}>
          <Select
            label="Left"
            value={left.id}
            options={options}
            onValueChange={(id) => onChoose(id, right.id)}
          />
          <Button onClick={() => onChoose(right.id, left.id)}>Swap</Button>
          <Select
            label="Right"
            value={right.id}
            options={options}
            onValueChange={(id) => onChoose(left.id, id)}
          />
        </div>
      </div>
    </Dialog>
  );
}

interface FrameProps {
  left: SheetImage;
  right: SheetImage;
  /** The percentage of the width that the left image covers. */
  percent: number;
  onPercent: (percent: number) => void;
}

function Frame({ left, right, percent, onPercent }: FrameProps) {
  const drag = ({ currentTarget, clientX }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect();
    onPercent(Math.min(100, Math.max(0, ((clientX - box.left) / box.width) * 100)));
  };
  const style: CSSProperties & Record<'--ratio' | '--share', string | number> = {
    '--ratio': getRatio(left) ?? getRatio(right) ?? 1,
    '--share': `${percent}%`,
  };
  return (
    <div
      className={styles.frame}
      style={style}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
      }}
    >
      <Half image={left} className={styles.left} />
      <Half image={right} className={styles.right} />
      <span className={styles.divider} aria-hidden="true" />
    </div>
  );
}

function Half({ image, className }: { image: SheetImage; className: string | undefined }) {
  const { media, title } = image;
  return (
    <div className={className}>
      <img src={getMediaUrl(media.id)} alt={title} draggable={false} decoding="sync" />
      <span className={classNames(styles.name, 'truncate')} aria-hidden="true">
        {title}
      </span>
    </div>
  );
}

function getRatio({ media: { width, height } }: SheetImage): number | null {
  return width === null || height === null ? null : width / height;
}
