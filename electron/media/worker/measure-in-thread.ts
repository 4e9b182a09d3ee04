/** What takes longer than reading a header. */
import type { Measurement } from '../measurement.ts';
import { withFile } from '../read-at.ts';
import { measureContainer } from './measure-container.ts';
import { frameReaders, measureFrames } from './measure-frames.ts';

export function measureInThread(path: string, type: string): Promise<Measurement> {
  const read = frameReaders[type];
  return read ? withFile(path, (file) => measureFrames(file, read)) : measureContainer(path, type);
}
