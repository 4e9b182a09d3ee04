import { describe, expect, it } from 'vitest';
import { getBodyHint } from '../../renderer/run/views/body-hints.ts';
import { findHint, type HintPath } from '../../renderer/ui/json-editor/json-hints.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';

function hintAt(name: OperationName, format: string, ...path: HintPath) {
  return findHint(getBodyHint(name, format), path);
}

describe('hints in a request body', () => {
  it('lists the fields of the schema at any depth, with titles and values', () => {
    expect(hintAt('chat', '', 'temperature')).toMatchObject({ title: 'Temperature' });
    expect(hintAt('chat', '', 'response_format', 'type')?.values).toEqual([
      ...['text', 'json_object', 'json_schema'],
    ]);
    expect(hintAt('chat', '', 'messages', null, 'role')?.values).toContain('developer');
    expect(hintAt('chat', '', 'stream')?.values).toEqual([true, false]);
    expect(hintAt('chat', '', 'reasoning_effort')?.values).toContain('minimal');
    expect(hintAt('transcription', '', 'timestamp_granularities', null)?.values).toEqual([
      ...['word', 'segment'],
    ]);
    expect(hintAt('image', '', 'generationConfig', 'imageConfig', 'aspectRatio')).not.toBeNull();
  });

  it('omits fields that the format doesn’t send', () => {
    for (const name of ['format', 'cache_control', 'include'])
      expect(hintAt('chat', '', name)).toBeNull();
    expect(hintAt('chat', 'messages', 'seed')).toBeNull();
    expect(hintAt('embeddings', '', 'batch_size')).toBeNull();
  });

  it.each<[string, OperationName, string, HintPath]>([
    ['Max tokens', 'chat', 'messages', ['max_tokens']],
    ['Stop sequences', 'chat', 'messages', ['stop_sequences']],
    ['User', 'chat', 'messages', ['metadata', 'user_id']],
    ['Reasoning effort', 'chat', 'messages', ['output_config', 'effort']],
    ['Reasoning effort', 'chat', 'responses', ['reasoning', 'effort']],
    ['Reasoning summary', 'chat', 'responses', ['reasoning', 'summary']],
    ['Response format', 'chat', 'responses', ['text', 'format']],
    ['Duration', 'video', 'videos', ['seconds']],
    ['Partial images', 'image', 'images', ['partial_images']],
  ])('finds the hint %s in %s, format %s, at %j', (title, name, format, path) => {
    expect(hintAt(name, format, ...path)).toMatchObject({ title });
  });
});
