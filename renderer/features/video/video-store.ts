import { createMediaReference } from '../../../shared/media.ts';
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

type Images = Pick<VideoInput, 'image' | 'lastFrame' | 'references'>;

/** The field that an image is sent in; only references take several. */
export type ImageRole = keyof Images;

export interface RoleImage {
  role: ImageRole;
  /** The position among the references; 0 for a frame. */
  index: number;
  /** `media:<id>`, a URL or base64. */
  image: string;
}

const getImages = (): Images => videoForm.state.getState().values.input;

export function listImages({ image, lastFrame, references }: Images): RoleImage[] {
  const frames: RoleImage[] = [
    { role: 'image', index: 0, image },
    { role: 'lastFrame', index: 0, image: lastFrame },
  ];
  return [
    ...frames.filter((frame) => frame.image !== ''),
    ...references.map((one, index): RoleImage => ({ role: 'references', index, image: one })),
  ];
}

/** Adds the image as first frame or, if there is one, as a reference. */
export function addImage(image: string): void {
  const { image: first, references } = getImages();
  if (first === '') videoForm.change({ input: { image } });
  else videoForm.change({ input: { references: [...references, image] } });
}

export function replaceImage(role: ImageRole, index: number, image: string): void {
  const { references } = getImages();
  const changed = role === 'references' ? references.with(index, image) : image;
  videoForm.change({ input: { [role]: changed } });
}

export function removeImage(role: ImageRole, index: number): void {
  changeWithUndo(
    videoForm,
    () => videoForm.change({ input: takeOut(role, index) }),
    'Image removed',
  );
}

/** Gives the image another role; an image that had that role as a frame takes the old one. */
export function moveImage(role: ImageRole, index: number, next: ImageRole): void {
  if (role === next) return;
  const before = getImages();
  const moved = role === 'references' ? (before.references[index] ?? '') : before[role];
  const left = { ...before, ...takeOut(role, index) };
  const replaced = next === 'references' ? '' : before[next];
  const given =
    replaced === ''
      ? {}
      : role === 'references'
        ? { references: [...left.references, replaced] }
        : { [role]: replaced };
  const taken =
    next === 'references' ? { references: [...left.references, moved] } : { [next]: moved };
  videoForm.change({ input: { ...takeOut(role, index), ...given, ...taken } });
}

function takeOut(role: ImageRole, index: number): Partial<Images> {
  return role === 'references'
    ? { references: getImages().references.toSpliced(index, 1) }
    : { [role]: '' };
}

export function receiveImage(item: HandOver): boolean {
  if (item.kind !== 'media' || item.media.kind !== 'image') return false;
  const image = createMediaReference(item.media.id);
  const { image: before, lastFrame, references } = getImages();
  const write = (input: Partial<Images>) => videoForm.change({ input });
  if (item.slot === 'references') {
    const known = references.includes(image) ? 'This image is already a reference.' : null;
    return receiveItem(
      videoForm,
      known,
      () => write({ references: [...references, image] }),
      'Reference added',
    );
  }
  if (item.slot === 'lastFrame') {
    const known = lastFrame === image ? 'This image is already the last frame.' : null;
    const message = lastFrame === '' ? 'Last frame added' : 'Last frame replaced';
    return receiveItem(videoForm, known, () => write({ lastFrame: image }), message);
  }
  const known = before === image ? 'This image is already the first frame.' : null;
  const message = before === '' ? 'First frame added' : 'First frame replaced';
  return receiveItem(videoForm, known, () => write({ image }), message);
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
