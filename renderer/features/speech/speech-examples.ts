import type { JsonObject } from '../../../shared/json.ts';

export interface SpeechExample {
  title: string;
  detail: string;
  /** All fields except the model, which is the chosen one. */
  request: JsonObject & { input: string };
}

const welcome = 'The gate is open. Mind the step, and welcome to the house.';
const forecast =
  'Tonight: light rain, clearing after midnight. Tomorrow: sunny, with a high of twenty-one degrees and a gentle wind from the west.';
const story =
  'At the end of the lane stood a house with a blue door. Nobody in the village knew who lived there, but every evening, just as the bells rang, a lamp was lit in the highest window. One winter the lamp stayed dark, and that was how the story began.';

export const speechExamples: readonly SpeechExample[] = [
  {
    title: 'Welcome',
    detail: `“${welcome}”`,
    request: { input: welcome, voice: 'alloy' },
  },
  {
    title: 'Weather forecast',
    detail: 'A different voice, slightly faster',
    request: { input: forecast, voice: 'nova', speed: 1.15 },
  },
  {
    title: 'Story',
    detail: 'A deep, slow voice that plays as it streams',
    request: { input: story, voice: 'onyx', speed: 0.9 },
  },
];
