import { mediaReference } from '../../../shared/media.ts';
import { emptyInputs } from '../../../shared/operations/empty-inputs.ts';
import { VIDEOS } from '../../../shared/operations/video/image-fields.ts';
import type { VideoInput } from '../../../shared/operations/video/request.ts';
import type { HandOver } from '../../media/hand-over/hand-over.ts';
import { changeWithUndo, receiveItem } from '../../run/form/change-with-undo.ts';
import { panelForms } from '../../run/form/panel-forms.ts';
import { setFormat, setParameter } from '../../run/form/parameters.ts';
import { useForm } from '../../run/form/use-form.ts';
import type { MetadataRow } from './video-form-values.ts';

export const videoForm = panelForms.video;

/** The parameter with the ID of the video to remix. */
export const REMIX = 'remix_video_id';

export function useVideoInput<Part>(select: (input: VideoInput) => Part): Part {
  return useForm(videoForm, ({ input }) => select(input));
}

const rows = (): MetadataRow[] => videoForm.state.getState().values.input.rows;

type Frame = 'image' | 'lastFrame';

const references = (): string[] => videoForm.state.getState().values.input.references;

/** Accepts `media:<id>`, a URL or base64; an empty string removes the image. */
export function writeFrame(frame: Frame, image: string): void {
  videoForm.change({ input: { [frame]: image } });
}

export function addReferences(images: readonly string[]): void {
  videoForm.change({ input: { references: [...references(), ...images] } });
}

export function replaceReference(index: number, image: string): void {
  videoForm.change({ input: { references: references().with(index, image) } });
}

/** `index` selects a reference image; frames ignore it. */
export function removeSlotImage(slot: Frame | 'references', index = 0): void {
  const left = slot === 'references' ? references().toSpliced(index, 1) : '';
  changeWithUndo(videoForm, () => videoForm.change({ input: { [slot]: left } }), 'Image removed');
}

export function receiveImage(item: HandOver): boolean {
  if (item.kind !== 'media' || item.media.kind !== 'image') return false;
  const image = mediaReference(item.media.id);
  if (item.slot === 'references') {
    const known = references().includes(image) ? 'This image is already a reference.' : null;
    return receiveItem(videoForm, known, () => addReferences([image]), 'Reference added');
  }
  if (item.slot === 'lastFrame') {
    const { lastFrame } = videoForm.state.getState().values.input;
    const known = lastFrame === image ? 'This image is already the last frame.' : null;
    const message = lastFrame === '' ? 'Last frame added' : 'Last frame replaced';
    return receiveItem(videoForm, known, () => writeFrame('lastFrame', image), message);
  }
  const before = videoForm.state.getState().values.input.image;
  const known = before === image ? 'This image is already the first frame.' : null;
  const message = before === '' ? 'First frame added' : 'First frame replaced';
  return receiveItem(videoForm, known, () => writeFrame('image', image), message);
}

export function writeRow(index: number, row: MetadataRow): void {
  videoForm.change({ input: { rows: rows().with(index, row) } }, { typing: true });
}

export function addRow(): void {
  videoForm.change({ input: { rows: [...rows(), { name: '', value: '' }] } });
}

/** Clears the value of a default row and removes any other row. */
export function removeRow(index: number): void {
  const first = emptyInputs.video.rows[index];
  const left = first === undefined ? rows().toSpliced(index, 1) : rows().with(index, first);
  changeWithUndo(
    videoForm,
    () => videoForm.change({ input: { rows: left } }),
    first === undefined ? 'Parameter removed' : 'Parameter cleared',
  );
}

export function resetRows(): void {
  videoForm.change({ input: { rows: emptyInputs.video.rows } });
}

/** Turns the form into a remix of a finished video; the prompt stays. */
export function remixTask(taskId: string, connectionId: string): void {
  const act = () => {
    setFormat(videoForm, VIDEOS);
    setParameter(videoForm, REMIX, taskId);
    videoForm.change({ connectionId });
  };
  changeWithUndo(videoForm, act, 'The next video is a remix', { after: 'any change' });
}

export function showTask(runId: string | null): void {
  videoForm.change({ runId });
}
