import type { JsonValue } from '../../../../../shared/json.ts';
import { validateJson } from './validate-json.ts';

addEventListener('message', ({ data }: MessageEvent<{ text: string; schema: JsonValue }>) => {
  void validateJson(data.text, data.schema).then((result) => self.postMessage(result));
});
